import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { CommandError, capture, say, succeeds } from '../../cluster/shell.ts';

/** Kernel settings that kubelet sets for the whole machine, not for its own namespace. */
const MACHINE_WIDE = [
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
  'vm/overcommit_memory',
  'vm/panic_on_oom',
];

export type Sysctls = Record<string, string>;

/** The present values of what a kubelet changes machine-wide. */
export function readSysctls(): Sysctls {
  const files = MACHINE_WIDE.map((name) => `/proc/sys/${name}`).filter((file) => existsSync(file));
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8').trim()]));
}

/** Writes back what differs. Returns the names it had to change. */
export function restoreSysctls(saved: Sysctls): string[] {
  const changed = Object.entries(saved).filter(([file, value]) => readFileSync(file, 'utf8').trim() !== value);
  for (const [file, value] of changed) writeFileSync(file, value);
  return changed.map(([file]) => file);
}

/** Commands the own engine needs → the Debian package that brings them. */
const COMMANDS: Record<string, string> = {
  containerd: 'containerd',
  runc: 'runc',
  iptables: 'iptables',
  conntrack: 'conntrack',
  debootstrap: 'debootstrap',
  jq: 'jq',
  buildah: 'buildah',
  socat: 'socat',
  zstd: 'zstd',
  gcc: 'gcc',
  ip: 'iproute2',
  // Runs the programs of arm64 images.
  'qemu-aarch64': 'qemu-user',
};

const isThere = (command: string) => succeeds('sh', ['-c', `command -v ${command}`]);

const isDebian = () =>
  existsSync('/usr/bin/apt-get') && /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'));

/** Throws with the remedy where the engine cannot run. */
export function requireDebianRoot(): void {
  if (process.getuid?.() !== 0 || !isDebian())
    throw new Error('no registry responds, and a cluster from source needs root on Debian. Connect to a registry.');
}

/** Installs the Debian packages that the engine lacks, and prints their names first. */
export async function installPackages(): Promise<void> {
  const missing = Object.keys(COMMANDS).filter((command) => !isThere(command));
  if (missing.length === 0) return;
  const packages = missing.map((command) => COMMANDS[command] ?? command);
  // gcc alone has no static libc.
  if (packages.includes('gcc')) packages.push('libc6-dev');
  say(`installing Debian packages for the cluster: ${packages.join(' ')}`);
  await apt(['update', '-qq']);
  await apt(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}

const APT_WAIT_MS = 600_000;

/** Runs apt-get once nobody else holds its locks: a machine's own updates take them at any time. */
async function apt(args: string[]): Promise<void> {
  const deadline = Date.now() + APT_WAIT_MS;
  for (;;) {
    try {
      capture('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' }, timeout: 900 });
      return;
    } catch (error) {
      const isLocked = error instanceof CommandError && /Could not get lock/.test(error.output);
      if (!isLocked || Date.now() > deadline) throw error;
      say('another apt-get is at work: waiting for it');
      await setTimeout(5000);
    }
  }
}
