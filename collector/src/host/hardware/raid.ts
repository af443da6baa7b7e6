import type { RaidPart } from '@plimsoll/contract/wire/hardware';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Files } from '../../runtime/files.ts';
import type { Source } from '../../source.ts';

const NAMES_BYTES = 128;

/** Reads the state of the md arrays. A machine without md has no /proc/mdstat, and its report no such part. */
export function raidSource(files: Files): Source {
  return {
    name: 'raid',
    instant: true,
    read: async () => {
      const table = files.optional('proc/mdstat');
      if (table === null) return { part: {} };
      const arrays = parseMdstat(table).filter(({ isContainer }) => !isContainer);
      if (arrays.length === 0) return { part: {} };
      const spansEveryBay = isSynology(files) ? SYSTEM_OF_SYNOLOGY : NONE;
      return { part: { raid: arrays.map((array) => shapeArray(files, array, spansEveryBay.has(array.name))) } };
    },
  };
}

/**
 * DSM mirrors its system (md0) and swap (md1) over every bay, empty ones included, so "[12/2]" is how a sound one looks.
 * Source: the md(4) layout of DSM in SynoCommunity's wiki.
 */
const SYSTEM_OF_SYNOLOGY: ReadonlySet<string> = new Set(['md0', 'md1']);
const NONE: ReadonlySet<string> = new Set();
const isSynology = (files: Files): boolean =>
  files.stat('etc.defaults/VERSION') !== null || files.stat('proc/sys/kernel/syno_hw_version') !== null;

interface Member {
  name: string;
  /** Letters of its flags: F faulty, E error (Synology), S spare, J journal, R replacement, W write-mostly. */
  flags: string;
}
interface MdArray {
  name: string;
  /** "active", "inactive", and "broken" (Linux 6) where too few disks are left. */
  activity: string;
  level: string | null;
  members: Member[];
  sizeBytes: number | null;
  required: number | null;
  active: number | null;
  /** Holds the metadata of other arrays (IMSM, DDF). It is always inactive and no array itself. */
  isContainer: boolean;
  action: string | null;
  actionPercent: number | null;
  minutesLeft: number | null;
}

const HEAD = /^(md\S*) : ([a-z]+)((?: \([a-z-]+\))*)(?: ([a-z]+\d*))?((?: \S+\[\d+\](?:\([A-Z]\))*)*)\s*$/;
const MEMBER = /(?<!\S)([^\s[]+)\[\d+\]((?:\([A-Z]\))*)/g;
/** "recovery = 12.6% (… ) finish=127.5min", or "resync=DELAYED". */
const ACTION = /\b(recovery|resync|check|reshape)\s*=\s*(?:([\d.]+)%|DELAYED|PENDING|REMOTE)/;

/** Parses /proc/mdstat (drivers/md/md.c, md_seq_show). Lines of other forms, and what is indented below them, are passed over. */
export function parseMdstat(text: string): MdArray[] {
  const arrays: MdArray[] = [];
  let current: MdArray | null = null;
  for (const line of text.split('\n')) {
    if (/^\s/.test(line)) {
      if (current !== null) readDetail(current, line);
      continue;
    }
    const head = HEAD.exec(line);
    current = head === null ? null : startOf(head);
    if (current !== null) arrays.push(current);
  }
  return arrays;
}

function startOf([, name = '', activity = '', , level, members = '']: RegExpExecArray): MdArray {
  return {
    name,
    activity,
    level: level ?? null,
    members: [...members.matchAll(MEMBER)].map(([, member = '', flags = '']) => ({
      name: member,
      flags: flags.replaceAll(/[()]/g, ''),
    })),
    sizeBytes: null,
    required: null,
    active: null,
    isContainer: false,
    action: null,
    actionPercent: null,
    minutesLeft: null,
  };
}

function readDetail(array: MdArray, line: string): void {
  const blocks = /^\s+(\d+) blocks/.exec(line)?.[1];
  if (blocks !== undefined) {
    array.sizeBytes = Number(blocks) * 1024;
    const [, required, active] = /\[(\d+)\/(\d+)\]/.exec(line) ?? [];
    if (required !== undefined) [array.required, array.active] = [Number(required), Number(active)];
    // A member of a container has the path of it: "external:/md127/0".
    array.isContainer = /\bexternal:[^/\s]/.test(line);
  }
  const action = ACTION.exec(line);
  if (action === null) return;
  array.action = action[1] ?? null;
  array.actionPercent = action[2] === undefined ? null : Number(action[2]);
  const minutes = /finish=([\d.]+)min/.exec(line)?.[1];
  array.minutesLeft = minutes === undefined ? null : Number(minutes);
}

const hasFlag = ({ flags }: Member, ...letters: string[]): boolean => letters.some((letter) => flags.includes(letter));
const isFailed = (member: Member): boolean => hasFlag(member, 'F', 'E');
const whole = (value: number | null): number | null => (Number.isSafeInteger(value) ? value : null);

function shapeArray(files: Files, array: MdArray, spansEveryBay: boolean): RaidPart {
  const { name, members } = array;
  const failed = members.filter(isFailed).map((member) => member.name);
  const isBroken =
    array.activity === 'broken' || files.optional(`sys/block/${name}/md/array_state`)?.trim() === 'broken';
  const mismatches = files.optional(`sys/block/${name}/md/mismatch_cnt`)?.trim() ?? '';
  // Bays without a disk do not count there: what is needed is what is in use.
  const required = spansEveryBay && failed.length === 0 ? array.active : array.required;
  return {
    name: cutToBytes(name, NAMES_BYTES),
    level: array.level ?? 'unknown',
    state: isBroken ? 'failed' : stateOf({ ...array, required }),
    size_bytes: whole(array.sizeBytes),
    disks_required: whole(required),
    disks_active: whole(array.active),
    spares: members.filter((member) => hasFlag(member, 'S') && !isFailed(member)).length,
    failed_disks: failed.length === 0 ? null : cutToBytes(failed.join(', '), NAMES_BYTES),
    action: array.action,
    action_percent: array.actionPercent,
    action_seconds_left: array.minutesLeft === null ? null : array.minutesLeft * 60,
    mismatches: /^\d{1,15}$/.test(mismatches) ? Number(mismatches) : null,
  };
}

/** Disks that an array can lose: with one more gone it has lost data. RAID 10 depends on which ones. */
const TOLERATES: Readonly<Record<string, (disks: number) => number>> = {
  raid1: (disks) => disks - 1,
  raid4: () => 1,
  raid5: () => 1,
  raid6: () => 2,
  raid10: (disks) => Math.floor(disks / 2),
};

function stateOf({ activity, level, required, active, action }: MdArray): string {
  if (activity === 'inactive') return 'inactive';
  if (required === null || active === null || active >= required) return 'clean';
  const tolerated = TOLERATES[level ?? '']?.(required) ?? required;
  if (required - active > tolerated) return 'failed';
  return action === 'recovery' ? 'rebuilding' : 'degraded';
}
