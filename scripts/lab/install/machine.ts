import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../e2e/product.ts';

/** Result of a command inside the machine. */
export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** A Debian with systemd as its first process: an overlay of this one's root in a network of its own. */
export interface Machine {
  /** The host, as the machine reaches it. */
  hostAddress: string;
  /** A path inside, as seen from outside. */
  path(inside: string): string;
  /** Runs a command inside. Never rejects: the status says how it went. */
  run(command: string, ...args: string[]): Promise<Ran>;
  /** `sh -c` inside; rejects with what it printed unless it ends with 0. */
  sh(script: string): Promise<string>;
  /** Everything the machine has written and not removed: kind, mode, owner and path of each file, logs excepted. */
  written(): string[];
  stop(): Promise<void>;
}

/** Units of this machine's own that a test machine must not start, and those a container has no use for. */
const MASKED = ['getty.target', 'console-getty.service', 'systemd-logind.service', 'systemd-networkd.service'];
/** One network of four addresses for each test process, from the range for benchmarks (RFC 2544). */
const subnet = (): string => `198.18.${String(process.pid % 256)}.${String((Math.floor(process.pid / 256) % 64) * 4)}`;
const BOOT_SECONDS = 120;

const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });

function makeNetwork(name: string): string {
  const base = subnet();
  const at = (last: number) => base.replace(/\d+$/, (end) => String(Number(end) + last));
  ip('netns', 'add', name);
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'host0', 'netns', name);
  ip('addr', 'add', `${at(1)}/30`, 'dev', name);
  ip('link', 'set', name, 'up');
  ip('-n', name, 'addr', 'add', `${at(2)}/30`, 'dev', 'host0');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ip('-n', name, 'link', 'set', 'host0', 'up');
  return at(1);
}

export interface MachineOptions {
  /** Bounds of its disk as options of tmpfs, such as `size=900m,nr_inodes=30000`. */
  disk?: string;
}

/** Mounts the overlay and leaves in it a machine of its own: other identity, no services of ours. */
function makeRoot(folder: string, { disk }: MachineOptions): string {
  const options = ['mode=0755', ...(disk === undefined ? [] : [disk])].join(',');
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  const [upper, work, root] = ['upper', 'work', 'root'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [upper, work, root]) mkdirSync(path);
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=/,upperdir=${upper},workdir=${work}`, root]);
  const units = join(root, 'etc/systemd/system');
  for (const name of readdirSync(units))
    if (/\.(wants|requires)$/.test(name)) rmSync(join(units, name), { recursive: true });
  // As on any machine, ours is not the only unit there; else disabling it would take the folder along.
  mkdirSync(join(units, 'multi-user.target.wants'));
  symlinkSync('/lib/systemd/system/remote-fs.target', join(units, 'multi-user.target.wants/remote-fs.target'));
  for (const unit of MASKED) {
    rmSync(join(units, unit), { force: true });
    symlinkSync('/dev/null', join(units, unit));
  }
  keepAccounts(root);
  rmSync(join(root, 'etc/machine-id'), { force: true });
  writeFileSync(join(root, 'etc/machine-id'), `${crypto.randomUUID().replaceAll('-', '')}\n`);
  return root;
}

/**
 * The process that is number 1 inside: the one child of systemd-nspawn. Null while that child, with our own processes in
 * sight, only prepares the machine: a command run beside it would be answered by the systemd of this one.
 */
const firstProcess = (nspawn: number): number | null => {
  const children = readFileSync(`/proc/${String(nspawn)}/task/${String(nspawn)}/children`, 'utf8').trim();
  const [first = ''] = children.split(' ');
  return first === '' || pidNamespace(first) === pidNamespace('self') ? null : Number(first);
};

/** Null for a process that has just ended. */
function pidNamespace(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}

const ran = (file: string, args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(file, args, { maxBuffer: 64 * 1_048_576 }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });

/** Boots a machine. Throws with the end of its console when it does not come up. */
export async function bootMachine(options: MachineOptions = {}): Promise<Machine> {
  const name = `plm${String(process.pid)}`;
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-machine-'));
  const undo: (() => void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const tearDown = (): void => undo.splice(0).forEach((step) => step());
  try {
    undo.unshift(() => execFileSync('umount', ['--recursive', '--lazy', folder]));
    const root = makeRoot(folder, options);
    undo.unshift(() => ip('netns', 'del', name));
    const hostAddress = makeNetwork(name);
    const nspawn = startNspawn(root, name);
    // Rejects where the program does not exist: no exit would follow.
    await once(nspawn, 'spawn');
    const stopped = new Promise<void>((resolve) => nspawn.once('exit', () => resolve()));
    const stop = async (): Promise<void> => {
      nspawn.kill('SIGTERM');
      await stopped;
      tearDown();
    };
    const inside = await untilBooted(nspawn).catch(async (error: unknown) => {
      nspawn.kill('SIGKILL');
      await stopped;
      throw error;
    });
    return machineAt({ folder, root, hostAddress, inside, stop });
  } catch (error) {
    tearDown();
    throw error;
  }
}

function startNspawn(root: string, name: string): ChildProcess {
  const flags = ['--register=no', '--keep-unit', '--quiet', '--tmpfs=/root', `--machine=${name}`];
  const network = `--network-namespace-path=/run/netns/${name}`;
  return spawn('systemd-nspawn', ['-D', root, ...flags, network, '--console=pipe', '--boot'], {
    stdio: 'ignore',
  });
}

/** Gives the words that put a command inside. */
async function untilBooted(nspawn: ChildProcess): Promise<string[]> {
  return until(
    'systemd to be running',
    async () => {
      const first = firstProcess(nspawn.pid ?? 0);
      if (first === null) return null;
      const inside = ['-t', String(first), '-m', '-u', '-i', '-n', '-p', '--'];
      const { stdout } = await ran('nsenter', [...inside, 'systemctl', 'is-system-running']);
      return /running|degraded/.test(stdout) && inside;
    },
    BOOT_SECONDS,
  );
}

interface Booted {
  folder: string;
  root: string;
  hostAddress: string;
  inside: string[];
  stop: () => Promise<void>;
}

function machineAt({ folder, root, hostAddress, inside, stop }: Booted): Machine {
  const run: Machine['run'] = (command, ...args) => ran('nsenter', [...inside, command, ...args]);
  return {
    hostAddress,
    stop,
    run,
    path: (path) => join(root, path),
    async sh(script) {
      const { status, stdout, stderr } = await run('/bin/sh', '-c', script);
      if (status !== 0) throw new Error(`exit ${String(status)} from: ${script}\n${stdout}${stderr}`);
      return stdout;
    },
    written: () => listing(join(folder, 'upper')),
  };
}

/** Copies the account tools keep of what was before the last change: there before, and never twice the same. */
const BACKUPS = /^\/etc\/(passwd|shadow|group|gshadow|subuid|subgid)-$/;
const ACCOUNTS = ['passwd', 'shadow', 'group', 'gshadow', 'subuid', 'subgid'].flatMap((name) => [
  `/etc/${name}`,
  `/etc/${name}-`,
]);

/** Into the overlay with them, so that what others do to this machine's accounts meanwhile is not seen. */
function keepAccounts(root: string): void {
  for (const file of ACCOUNTS) if (existsSync(file)) utimesSync(join(root, file), new Date(), new Date());
}

/** Lists the overlay with the content's hash, without folders that equal the ones below: they were copied up in passing. */
function listing(upper: string): string[] {
  const tests = ['-mindepth', '1', '-not', '-path', `${upper}/var/log/*`, '-not', '-path', `${upper}/tmp/*`];
  return execFileSync('find', [upper, ...tests, '-printf', '%y %m %U:%G /%P\n'], { encoding: 'utf8', maxBuffer: 1e8 })
    .trim()
    .split('\n')
    .filter((line) => !(line.startsWith('d ') && isAsBelow(line)))
    .map((line) => (line.startsWith('f ') ? `${line} ${contentOf(upper, pathOf(line))}` : line))
    .toSorted();
}

const pathOf = (line: string): string => line.slice(line.indexOf(' /') + 1);

function isAsBelow(line: string): boolean {
  const found = lstatSync(pathOf(line), { throwIfNoEntry: false });
  if (!found) return false;
  return `d ${(found.mode & 0o7777).toString(8)} ${String(found.uid)}:${String(found.gid)} ${pathOf(line)}` === line;
}

const contentOf = (upper: string, path: string): string =>
  BACKUPS.test(path)
    ? 'a backup'
    : createHash('sha256')
        .update(readFileSync(join(upper, path)))
        .digest('hex');
