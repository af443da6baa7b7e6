import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Space, StatSpace } from '../host/filesystem-space.ts';
import { parseUptime } from '../runtime/clock.ts';
import type { Exec } from '../runtime/exec.ts';
import type { Files } from '../runtime/files.ts';
import { linesOf } from './captured.ts';

/**
 * A machine of the corpus: its files at two readings, as text. The form is that of ttar without the count of lines:
 *
 *     # rebuilt: SOURCE                                   comments, before the first entry
 *     Architecture: arm64                                 name of the runtime; x64 when left out
 *     Path: proc/loadavg                                  a file; its lines follow, up to the next entry
 *     Line: sys/class/net/eth0/ifindex 2                  a file of one line
 *     Directory: sys/block/sda                            an empty directory
 *     SymlinkTo: sys/class/net/eth0/device ../../virtio0  a symbolic link
 *     Changed: run/reboot-required 1794990000             time of change of a path, epoch seconds; 0 when left out
 *     Owner: proc/812 33                                  user id of a path; 0 when left out
 *     Space: /var 4096 1000 800 700 500 400               statfs: unit, blocks, free, available, inodes, free inodes
 *     Hangs: /mnt/nas                                     statfs of this mount does not answer
 *     Command: systemctl                                  what a program prints; its lines follow
 *     Command: smartctl /dev/sda                          the same, when this is its last argument
 *     Allows: smart zpool                                 switches of the installer that are on
 *     Later:                                              the entries below are those of the second reading
 *     Gone: sys/block/sdb                                 the path and all below it are not there any more
 *
 * `NULLBYTE` stands for a zero byte, `EOF` for no line break at the end of a file, `\040` for a blank in a mount.
 */
export interface CapturedMachine {
  files: Files;
  exec: Exec;
  statSpace: StatSpace;
  architecture: string;
  /** Switches that are on: "smart", "gpu", "zpool". */
  allows: ReadonlySet<string>;
  /** Seconds since boot by /proc/uptime. */
  up: () => number;
  /** Goes on to the second reading. */
  later: () => void;
}

interface State {
  texts: Map<string, string>;
  links: Map<string, string>;
  directories: Set<string>;
  owners: Map<string, number>;
  changes: Map<string, number>;
  spaces: Map<string, Space | 'hangs'>;
  commands: Map<string, string>;
}

interface Entry {
  kind: string;
  subject: string;
  rest: string;
  lines: string[];
}

const ENTRY =
  /^(Architecture|Path|Line|Directory|SymlinkTo|Owner|Changed|Space|Hangs|Command|Allows|Later|Gone): ?(\S*) ?(.*)$/;

/** Reads `machines/NAME/machine.txt`. Throws an error with the line for what has another form. */
export function readMachine(name: string): CapturedMachine {
  return parseMachine(readFileSync(join(import.meta.dirname, 'machines', name, 'machine.txt'), 'utf8'));
}

export function parseMachine(text: string): CapturedMachine {
  const entries = parseEntries(text);
  const at = entries.findIndex(({ kind }) => kind === 'Later');
  const [first, second] = at === -1 ? [entries, []] : [entries.slice(0, at), entries.slice(at + 1)];
  const state: State = {
    texts: new Map(),
    links: new Map(),
    directories: new Set(),
    owners: new Map(),
    changes: new Map(),
    spaces: new Map(),
    commands: new Map(),
  };
  for (const entry of first) apply(state, entry);
  const files = filesOf(state);
  return {
    files,
    exec: async (file, argv) => {
      const printed = state.commands.get(`${file} ${argv.at(-1) ?? ''}`) ?? state.commands.get(file);
      if (printed === undefined) throw new Error(`${file}: not found`);
      return printed;
    },
    statSpace: async (path) => spaceAt(state, path),
    allows: new Set(
      entries.flatMap(({ kind, subject, rest }) => (kind === 'Allows' ? [subject, ...rest.split(' ')] : [])),
    ),
    architecture: entries.find(({ kind }) => kind === 'Architecture')?.subject ?? 'x64',
    up: () => parseUptime(files.optional('proc/uptime')) ?? 0,
    later: () => {
      for (const entry of second) apply(state, entry);
    },
  };
}

function parseEntries(text: string): Entry[] {
  const entries: Entry[] = [];
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const last = entries.at(-1);
    if (last === undefined && line.startsWith('#')) continue;
    const [, kind, subject = '', rest = ''] = ENTRY.exec(line) ?? [];
    if (kind !== undefined) entries.push({ kind, subject, rest, lines: [] });
    else if (last?.kind === 'Path' || last?.kind === 'Command') last.lines.push(line);
    else throw new Error(`line ${String(index + 1)} is no entry: ${line}`);
  }
  return entries;
}

const unescape = (text: string): string => text.replaceAll('NULLBYTE', '\0').replace(/EOF\n$/, '');

function apply(state: State, { kind, subject, rest, lines }: Entry): void {
  if (kind === 'Path') state.texts.set(subject, unescape(lines.map((line) => `${line}\n`).join('')));
  else if (kind === 'Line') state.texts.set(subject, unescape(`${rest}\n`));
  else if (kind === 'Directory') state.directories.add(subject);
  else if (kind === 'SymlinkTo') state.links.set(subject, rest);
  else if (kind === 'Owner') state.owners.set(subject, Number(rest));
  else if (kind === 'Changed') state.changes.set(subject, Number(rest));
  else if (kind === 'Space') state.spaces.set(subject.replaceAll('\\040', ' '), parseSpace(rest));
  else if (kind === 'Hangs') state.spaces.set(subject, 'hangs');
  else if (kind === 'Command') state.commands.set(rest === '' ? subject : `${subject} ${rest}`, lines.join('\n'));
  else if (kind === 'Gone') remove(state, subject);
}

function parseSpace(text: string): Space {
  const [unit = 0, blocks = 0, free = 0, available = 0, inodes = 0, inodesFree = 0] = text.split(' ').map(Number);
  return {
    sizeBytes: unit * blocks,
    freeBytes: unit * free,
    availableBytes: unit * available,
    inodes,
    inodesFree,
  };
}

function remove({ texts, links, directories }: State, path: string): void {
  const isGone = (one: string): boolean => one === path || one.startsWith(`${path}/`);
  for (const known of [texts, links]) for (const one of known.keys()) if (isGone(one)) known.delete(one);
  for (const one of directories) if (isGone(one)) directories.delete(one);
}

function spaceAt({ spaces }: State, path: string): Space {
  const space = spaces.get(path);
  if (space === 'hangs') throw new Error('mount does not answer within 2000 ms');
  // A mount that must not be measured has no entry.
  if (space === undefined) throw new Error(`the corpus has no Space for ${path}`);
  return space;
}

function filesOf({ texts, links, directories, owners, changes }: State): Files {
  const names = (path: string): string[] => {
    const under = path === '' ? '' : `${path}/`;
    const found = new Set<string>();
    for (const known of [texts.keys(), links.keys(), directories]) {
      for (const one of known) if (one.startsWith(under)) found.add(one.slice(under.length).split('/', 1)[0] ?? '');
    }
    return [...found].filter((name) => name !== '');
  };
  const text = (path: string): string => {
    const known = texts.get(path);
    if (known === undefined) throw new Error(`ENOENT: no such file or directory, open '/${path}'`);
    return known;
  };
  const optional = (path: string): string | null => texts.get(path) ?? null;
  return {
    text,
    optional,
    lines: (path, each) => {
      linesOf(text(path), each);
    },
    bytes: (path) => Buffer.from(text(path)),
    head: (path, most) => {
      const bytes = texts.has(path) ? Buffer.from(text(path)) : null;
      return bytes === null ? null : { text: bytes.toString('utf8', 0, most), whole: bytes.length < most };
    },
    tail: (path, most) => (texts.has(path) ? Buffer.from(text(path)).subarray(-most).toString() : null),
    list: names,
    link: (path) => links.get(path) ?? null,
    stat: (path) =>
      texts.has(path) || directories.has(path) || names(path).length > 0
        ? {
            uid: owners.get(path) ?? 0,
            bytes: optional(path)?.length ?? 0,
            changedMs: (changes.get(path) ?? 0) * 1000,
            inode: 1,
          }
        : null,
  };
}
