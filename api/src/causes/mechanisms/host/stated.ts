import type { Aspect } from '../../aspects.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, type Find, type HostFinding, type HostMoment } from '../../host-moment.ts';
import { clock, HOUR } from '../../figures.ts';
import { programsOf } from '../../suspects.ts';
import { quoted } from '../../words.ts';

/** Failures that the kernel, the journal or an event names itself. */

type Part = NonNullable<HostFinding['guilty']>[number]['kind'];
interface Stated {
  pattern: RegExp;
  /** Kinds of lines that say the same by their kind. */
  kinds?: readonly string[];
  finding: (subject: string | null) => string;
  /** Kind of the subject of the line; the kernel and the journal name it. */
  part?: Part;
  next: string;
}
const UNITS: Part = 'unit';
const STATED: readonly Stated[] = [
  {
    pattern: /read-only file ?system|remounting filesystem read-only/i,
    kinds: ['remounted_read_only'],
    part: 'filesystem',
    finding: (subject) => `${subject ?? 'A filesystem'} became read-only after an error.`,
    next: 'Check the disk (`smartctl -a`, `dmesg`), then `fsck` it.',
  },
  {
    pattern: /I\/O error.{0,80}dev|medium error|critical target error/i,
    kinds: ['io_error'],
    part: 'disk',
    finding: (subject) => `The disk${subject === null ? '' : ` ${subject}`} reports errors.`,
    next: 'Check the disk (`smartctl -a`, `dmesg`), and replace it.',
  },
  {
    pattern: /too many open files|file-max|file descriptor|EMFILE/i,
    part: UNITS,
    finding: (subject) => `${subject ?? 'A program'} ran out of file descriptors.`,
    next: 'Raise `LimitNOFILE=` of its unit, and look for descriptors that it leaks (`lsof -p`).',
  },
  {
    pattern: /conntrack.{0,80}(?:full|drop)/i,
    kinds: ['conntrack_full'],
    finding: () => 'The table of tracked connections is full, and packets are dropped.',
    next: 'Raise `net.netfilter.nf_conntrack_max`, and see which networks open the connections.',
  },
  {
    pattern: /thermal|throttl|temperature above/i,
    kinds: ['thermal_throttling'],
    finding: () => 'The processor is too hot and slows itself down.',
    next: 'Check fans, dust and the temperature of the room.',
  },
  {
    pattern: /machine check|\bmce\b|\bEDAC\b|uncorrect\w+ error|ECC error/i,
    kinds: ['ecc_error'],
    finding: () => 'The hardware reports errors.',
    next: 'Read `journalctl -k`, and replace the part it names.',
  },
  {
    pattern: /\braid\b.*(?:degraded|fail)|\bmd\d+.*(?:fail|degraded)|array.*degraded/i,
    part: 'disk',
    finding: () => 'A disk of a RAID failed.',
    next: 'Replace the disk: `cat /proc/mdstat`.',
  },
  {
    pattern: /could not resolve|name resolution|\bdns\b.*(?:fail|timeout|servfail)|SERVFAIL|EAI_AGAIN/i,
    finding: () => 'Names cannot be resolved.',
    next: 'Check the resolver: `resolvectl status`, `dig`.',
  },
  {
    pattern: /too many (?:connections|clients)|remaining connection slots|max_connections/i,
    part: UNITS,
    finding: () => 'A database has no free connection left.',
    next: 'Look for a pool that leaks, or raise the limit of connections.',
  },
  {
    pattern: /disk quota exceeded|no space left on device|ENOSPC/i,
    finding: () => 'A program cannot write: no space is left.',
    next: 'Free space or inodes: `df -h`, `df -i`.',
  },
  {
    pattern: /segfault at/i,
    kinds: ['segfault'],
    part: 'process',
    finding: (subject) => `${subject ?? 'A program'} crashes with a memory error.`,
    next: 'Look for an update of it or of its libraries before, and read its core dump (`coredumpctl`).',
  },
];

interface Said {
  text: string;
  at: number;
  subject: string | null;
  kind: string | null;
}
/** Lines and events around the alert, the oldest first: what is said first is nearer to the cause. */
const saidAround = ({ events, lines, at }: HostMoment): Said[] =>
  [
    ...lines.map((line) => ({ text: line.text, at: line.at, subject: line.subject, kind: line.kind })),
    ...events.map((event) => ({
      text: event.message,
      at: event.at,
      subject: event.name === '' ? null : event.name,
      kind: null,
    })),
  ]
    .filter((one) => one.at <= at + HOUR / 2 && one.at > at - 3 * HOUR)
    .toSorted((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1));

const reportedFailure: Find = (host) => {
  const said = saidAround(host);
  for (const { pattern, kinds = [], finding, next, part } of STATED) {
    const shown = said.find(({ text, kind }) => pattern.test(text) || (kind !== null && kinds.includes(kind)));
    if (shown === undefined) continue;
    const guilty = part === undefined || shown.subject === null ? [] : [{ kind: part, name: shown.subject }];
    return {
      // A text that names nothing may speak of a consequence.
      specificity: guilty.length > 0 ? 'stated' : 'changed',
      since: shown.at,
      guilty,
      finding: finding(shown.subject),
      evidence: [{ text: quoted(shown.text), at: shown.at }],
      next,
    };
  }
  return null;
};

/** The kernel killed for memory: what grew is guilty, not what was killed. */
const oomKill: Find = (host) => {
  const kills = host.lines.filter(({ kind, at }) => kind === 'oom_kill' && at <= host.at + HOUR / 2);
  const [first] = kills.toSorted((a, b) => a.at - b.at);
  if (first === undefined) return null;
  const grown = programsOf(host)
    .map((program) => ({ name: program.name, bytes: program.memoryBytes - program.memoryBefore }))
    .toSorted((a, b) => b.bytes - a.bytes)[0];
  const isOther = grown !== undefined && grown.bytes >= LEAK_BYTES;
  const name = isOther ? grown.name : first.subject;
  return {
    specificity: 'stated',
    since: first.at,
    guilty: name === null ? [] : [{ kind: 'process', name }],
    finding: `${name ?? 'A process'} took the memory of the host, and the kernel killed ${first.subject ?? 'a process'}.`,
    evidence: [{ text: quoted(first.text), at: first.at }],
    next: 'Limit the program that grew (`MemoryMax=` of its unit), or give the host more memory.',
  };
};
const LEAK_BYTES = 256 * 2 ** 20;

/** A flap leaves more than one line. */
const linkFlaps: Find = ({ lines, at }) => {
  const downs = lines.filter(({ kind, at: time }) => kind === 'link_down' && time <= at + HOUR / 2);
  const [first] = downs.toSorted((a, b) => a.at - b.at);
  if (first === undefined) return null;
  const times = downs.reduce((sum, { count }) => sum + count, 0);
  return {
    specificity: 'stated',
    since: first.at,
    guilty: first.subject === null ? [] : [{ kind: 'interface', name: first.subject }],
    finding: `The interface ${first.subject ?? ''} lost its link${times > 1 ? ` ${String(times)} times` : ''} since ${clock(first.at)}.`,
    evidence: [{ text: quoted(first.text), at: first.at }],
    next: 'Check cable, switch port and driver (`ethtool`, `dmesg`).',
  };
};

const TAKEN = /address already in use|EADDRINUSE|bind\(?\)?.{0,60}(?:failed|in use)|port .{0,20}(?:already )?in use/i;
const PORT = /(?::|port |\.)(\d{2,5})\b(?!\.)/i;
/** An event is seen with the report after it. */
const REPORT_SECONDS = 60;
/** A unit cannot start because its port is taken: by the one that began to listen before. */
const portTaken: Find = (host) => {
  const said = saidAround(host).find(({ text }) => TAKEN.test(text));
  if (said === undefined) return null;
  const port = PORT.exec(said.text)?.[1];
  const opened = host.changes
    .filter(({ kind }) => kind === 'ports')
    .flatMap(({ at, fields }) =>
      fields.flatMap(({ field, after }) =>
        port !== undefined && after !== null && new RegExp(`(?:^|\\D)${port}(?:\\D|$)`).test(field)
          ? [{ at, after }]
          : [],
      ),
    )[0];
  const started = host.events
    .filter(
      ({ type, name, at }) =>
        type === 'service_start' &&
        name !== '' &&
        name !== said.subject &&
        at <= said.at + REPORT_SECONDS &&
        at > said.at - HOUR,
    )
    .toSorted((a, b) => b.at - a.at)[0];
  const other = started?.name ?? null;
  return {
    specificity: 'stated',
    since: started?.at ?? said.at,
    // The unit that took the port first is guilty. Without its name the unit that complains stands for both.
    guilty: [other ?? said.subject].flatMap((name) => (name === null ? [] : [{ kind: UNITS, name }])),
    finding: `${said.subject ?? 'A unit'} cannot start: port ${port ?? ''} is taken${other === null ? '' : `, ${other} started before`}.`,
    evidence: [
      { text: quoted(said.text), at: said.at },
      opened !== undefined && { text: `port ${port ?? ''} was opened: ${opened.after}`, at: opened.at },
      started !== undefined && { text: started.message, at: started.at },
    ],
    next: 'See who listens (`ss -ltnp`), and give one of them another port.',
  };
};

/** A file system that was mounted before is gone. */
const mountGone: Find = ({ changes, at }) => {
  const gone = changes
    .filter((change) => change.kind === 'mounts' && change.at <= at && change.at > at - HOUR)
    .flatMap((change) =>
      change.fields.flatMap(({ field, was }) => (was === 'removed' ? [{ change, mount: field }] : [])),
    )
    .toSorted((a, b) => b.change.at - a.change.at)[0];
  if (gone === undefined) return null;
  return {
    specificity: 'broken',
    since: gone.change.at,
    change: gone.change,
    guilty: [{ kind: 'filesystem', name: gone.mount }],
    finding: `${gone.mount} is no longer mounted since ${clock(gone.change.at)}.`,
    evidence: [gone.change.title],
    next: `Mount it again: \`mount ${gone.mount}\`, and see why it went (\`journalctl -u '*.mount'\`).`,
  };
};

const ANYTHING: readonly Aspect[] = [
  'cpu',
  'load',
  'memory',
  'swap',
  'io',
  'disk',
  'traffic',
  'connections',
  'silent',
  'unit',
  'crash',
  'node',
  'clock',
  'failing',
  'other',
];
export const statedMechanisms: readonly Mechanism[] = [
  hostMechanism({ id: 'reported_failure', title: 'Reported failure', brings: ANYTHING, find: reportedFailure }),
  hostMechanism({
    id: 'kernel_out_of_memory',
    title: 'Killed for memory',
    brings: ['memory', 'swap', 'memory_kill', 'unit', 'crash', 'failing', 'node', 'io', 'load', 'silent'],
    find: oomKill,
  }),
  hostMechanism({
    id: 'link_flaps',
    title: 'Link lost',
    brings: ['traffic', 'connections', 'failing', 'silent', 'node'],
    find: linkFlaps,
  }),
  hostMechanism({
    id: 'mount_gone',
    title: 'File system is gone',
    brings: ['failing', 'unit', 'crash', 'io', 'load', 'disk'],
    find: mountGone,
  }),
  hostMechanism({
    id: 'port_taken',
    title: 'Port is taken',
    brings: ['unit', 'crash', 'failing', 'cpu'],
    find: portTaken,
  }),
];
