import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tar } from '../../lib/tar.ts';
import { ROOT } from '../../lib/web-build.ts';

/** A machine as install.sh sees it: what its commands say, and which files there are. */
export interface Pretended {
  system: 'Linux' | 'Darwin' | 'FreeBSD';
  machine: string;
  /** Bodies of commands, by name; each call is also written down. */
  commands?: Record<string, string>;
  /** Empty files that exist, by absolute path. */
  files?: string[];
  /** Beside PATH. */
  environment?: Record<string, string>;
  /** False: no report of the installed program is accepted. Default: true. */
  reports?: boolean;
}

export interface Pretence {
  /** The place of an absolute path. */
  path(inside: string): string;
  read(inside: string): string;
  exists(inside: string): boolean;
  /** Every call of a pretended command so far, with its words. */
  calls(): string[];
  /** Runs install.sh with these words. */
  install(...words: string[]): { status: number | null; stderr: string; stdout: string };
  /** Runs functions of install.sh without its last line. */
  evaluate(script: string): string;
  /** Writes a kit and its checksum; gives its path. */
  kit(version: string, target: string): Promise<string>;
  /** Takes a command of this machine out of sight. */
  hide(command: string): void;
  remove(): void;
}

/** Paths the script names itself; system tools keep theirs. */
const OWN_PATHS = /(?<![\w$}.)/])\/(usr\/local|etc\/|Library|var\/|run\/(?:systemd|openrc)|lib64\/ld|lib\/ld)/g;
const KIT_FILES = {
  'install.sh': 'scripts/install.sh',
  'plimsoll.service': 'collector/units/plimsoll.service',
  'socket-owners.conf': 'collector/units/socket-owners.conf',
  'smart.conf': 'collector/units/smart.conf',
  'gpu.conf': 'collector/units/gpu.conf',
  'zpool.conf': 'collector/units/zpool.conf',
  'journal.conf': 'collector/units/journal.conf',
  'token-file.conf': 'collector/units/token-file.conf',
  'app.plimsoll.collector.plist': 'collector/units/app.plimsoll.collector.plist',
  'plimsoll.openrc': 'collector/units/plimsoll.openrc',
};

const program = (version: string, reports: boolean): string => `#!/bin/sh
case $1 in
  version) echo "plimsoll ${version}" ;;
  once) echo '{}' ;;
  update) exit ${reports ? '0' : '1'} ;;
  *) exit 0 ;;
esac
`;

/**
 * install.sh on a machine that is not this one: its own paths lie in a folder, and the commands that would change a
 * system are replaced by ones that write down how they were called.
 */
export function pretend(
  { system, machine, commands = {}, files = [], environment = {}, reports = true }: Pretended,
  shell: string,
): Pretence {
  const root = mkdtempSync(join(tmpdir(), 'plimsoll-pretend-'));
  const path = (inside: string): string => join(root, inside);
  const log = path('calls');
  const put = (at: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text, { mode });
  };
  put(log, '');
  for (const folder of [
    '/var/run',
    '/var/lib',
    '/var/db',
    '/var/log',
    '/Library/LaunchDaemons',
    '/etc/systemd/system',
    '/etc/init.d',
    '/bin',
  ])
    mkdirSync(path(folder), { recursive: true });
  for (const file of files) put(path(file), '');
  const bodies = {
    uname: `case $1 in -s) echo ${system} ;; -m) echo ${machine} ;; -n) echo pretended ;; esac`,
    id: 'case $1 in -u) echo 0 ;; *) exit 1 ;; esac',
    getconf: 'echo 64',
    chown: ':',
    ...commands,
  };
  for (const [name, body] of Object.entries(bodies))
    put(path(`/bin/${name}`), `#!/bin/sh\necho "${name} $*" >>${log}\n${body}\n`, 0o755);
  const script = readFileSync(join(ROOT, 'scripts/install.sh'), 'utf8').replace(OWN_PATHS, `${root}/$1`);
  put(path('install.sh'), script);
  put(path('functions.sh'), script.replace(/\nmain "\$@"; exit\n$/, '\n'));
  // Links to all commands of this machine, so that a test can take one away.
  const hidden = new Set<string>();
  const systemPath = (): string => {
    if (hidden.size === 0) return '/usr/bin:/bin';
    mkdirSync(path('/system'), { recursive: true });
    for (const name of readdirSync('/usr/bin'))
      if (!hidden.has(name) && !existsSync(path(`/system/${name}`)))
        symlinkSync(`/usr/bin/${name}`, path(`/system/${name}`));
    return path('/system');
  };
  const sh = (words: string[]) =>
    spawnSync(shell, words, {
      encoding: 'utf8',
      env: { ...environment, PATH: `${path('/bin')}:${systemPath()}` },
      stdio: 'pipe',
    });
  return {
    path,
    read: (inside) => readFileSync(path(inside), 'utf8'),
    exists: (inside) => existsSync(path(inside)),
    calls: () => readFileSync(log, 'utf8').trim().split('\n'),
    install: (...words) => sh([path('install.sh'), ...words]),
    evaluate: (text) => sh(['-c', `. ${path('functions.sh')}; ${text}`]).stdout.trim(),
    async kit(version, target) {
      const name = `plimsoll-${version}-${target}.tar.gz`;
      const kit = gzipSync(
        await tar([
          { name: 'plimsoll', content: Buffer.from(program(version, reports)), executable: true },
          ...Object.entries(KIT_FILES).map(([as, from]) => ({ name: as, content: readFileSync(join(ROOT, from)) })),
        ]),
      );
      writeFileSync(path(name), kit);
      writeFileSync(path(`${name}.sha256`), `${createHash('sha256').update(kit).digest('hex')}  ${name}\n`);
      return path(name);
    },
    hide: (command) => void hidden.add(command),
    remove: () => rmSync(root, { recursive: true }),
  };
}
