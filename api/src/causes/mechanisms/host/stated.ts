import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import type { Aspect } from '../../aspects.ts';
import type { Mechanism } from '../../mechanism.ts';
import { hostMechanism, part, type HostMoment } from '../../host-moment.ts';
import { clock, mostBy } from '../../figures.ts';
import { BACKGROUND } from '../../suspects.ts';
import { CERTIFICATE, quote, RENEWAL } from '../../words.ts';
import { changeOf, REPORT_SECONDS } from './service.ts';
import { isSkewed } from './silence.ts';

/** Failures that the kernel, the journal or an event names itself. */
interface Stated {
  pattern: RegExp;
  /** Kind of lines that say the same by their kind. */
  kind?: string;
  /** `…` stands for the subject of the line. */
  finding: string;
  /** The subject, and what it is called where no line names it; the kernel and the journal name it. */
  part?: readonly [kind: 'filesystem' | 'disk' | 'unit' | 'process' | 'interface', unknown: string];
  /** Any other that says it speaks of what it calls. */
  speaker?: RegExp;
  brings: readonly Aspect[];
  next: string;
  command?: string;
  as?: { id: string; title: string };
}
/** Trouble of whatever needs the part that failed. */
const SERVED: readonly Aspect[] = ['unit', 'crash', 'failing', 'other'];
const STATED: readonly Stated[] = [
  {
    pattern: CERTIFICATE,
    as: { id: 'certificate', title: 'Certificate' },
    finding: 'A certificate is expired or not trusted.',
    brings: ['node', 'traffic', 'cpu', ...SERVED],
    ...RENEWAL,
  },
  {
    pattern: /\braid\b.*(?:degraded|fail)|\bmd\d+.*(?:fail|degraded)|array.*degraded|disk failure on/i,
    part: ['disk', 'a RAID'],
    finding: 'A disk of … failed.',
    brings: ['io', 'disk', 'load', ...SERVED],
    next: 'Replace the disk: `cat /proc/mdstat`.',
  },
  {
    pattern: /read-only file ?system|remounting filesystem read-only/i,
    kind: 'remounted_read_only',
    part: ['filesystem', 'A filesystem'],
    finding: '… became read-only after an error.',
    brings: ['io', 'disk', ...SERVED],
    next: 'Check the disk (`smartctl -a`, `dmesg`), then `fsck` it.',
  },
  {
    pattern: /I\/O error.{0,80}dev|medium error|critical target error/i,
    kind: 'io_error',
    part: ['disk', 'A disk'],
    finding: '… reports errors.',
    brings: ['io', 'disk', 'load', 'silent', 'node', ...SERVED],
    next: 'Check the disk (`smartctl -a`, `dmesg`), and replace it.',
  },
  {
    pattern: /too many open files|file-max|file descriptor|EMFILE/i,
    part: ['unit', 'A program'],
    finding: '… ran out of file descriptors.',
    brings: ['connections', 'traffic', ...SERVED],
    next: 'Raise `LimitNOFILE=` of its unit, and look for descriptors that it leaks (`lsof -p`).',
  },
  {
    // A flap leaves more than one line.
    pattern: /^$/,
    kind: 'link_down',
    part: ['interface', 'An interface'],
    finding: '… lost its link.',
    brings: ['traffic', 'connections', 'silent', ...SERVED],
    next: 'Check cable, switch port and driver (`ethtool`, `dmesg`).',
  },
  {
    pattern: /thermal|throttl|temperature above/i,
    kind: 'thermal_throttling',
    finding: 'The processor is too hot and slows itself down.',
    brings: ['cpu', 'load', ...SERVED],
    next: 'Check fans, dust and the temperature of the room.',
  },
  {
    pattern: /machine check|\bmce\b|\bEDAC\b|uncorrect\w+ error|ECC error/i,
    kind: 'ecc_error',
    finding: 'The hardware reports errors.',
    brings: ['silent', 'node', ...SERVED],
    next: 'Read `journalctl -k`, and replace the part it names.',
  },
  {
    pattern: /could not resolve|name resolution|\bdns\b.*(?:fail|timeout|servfail)|SERVFAIL|EAI_AGAIN/i,
    finding: 'Names cannot be resolved.',
    brings: ['traffic', ...SERVED],
    next: 'Check the resolver: `resolvectl status`, `dig`.',
  },
  {
    pattern: /too many (?:connections|clients)|remaining connection slots|max_connections/i,
    part: ['unit', 'A database'],
    speaker: /postgres|pgbouncer|mysql|mariadb|mongo|redis|valkey/i,
    finding: '… has no free connection left.',
    brings: ['connections', ...SERVED],
    next: 'Look for a pool that leaks, or raise the limit of connections.',
  },
  {
    pattern: /segfault at/i,
    kind: 'segfault',
    part: ['process', 'A program'],
    finding: '… crashes with a memory error.',
    brings: SERVED,
    next: 'Look for an update of it or of its libraries before, and read its core dump (`coredumpctl`).',
  },
];

const stated = ({ pattern, kind: ofLine, finding, speaker, brings, part: named, ...more }: Stated): Mechanism =>
  hostMechanism('reported_failure', 'Reported failure', (host) => {
    const shown = host.said.find(
      ({ text, kind: one, at }) => at > host.at - HOUR_SECONDS && (pattern.test(text) || one === ofLine),
    );
    const isClock = pattern === CERTIFICATE && isSkewed(host);
    if (shown === undefined || isClock) return null;
    const [kind, unknown = ''] = named ?? [];
    // The journal names the unit that speaks, the kernel the part that fails.
    const isOfUnit = kind === undefined || (kind === 'unit') === (shown.kind === 'journal_error');
    const subject = !isOfUnit || speaker?.test(shown.subject ?? '') === false ? null : shown.subject;
    const guilty = kind === undefined ? [] : part(kind, subject);
    const change = changeOf(host, shown.at, subject);
    // A text that names nothing may speak of a consequence.
    const isEffect = guilty.length === 0 && change === undefined && more.as === undefined;
    return {
      ...more,
      brings,
      specificity: isEffect ? 'changed' : guilty.length > 0 || more.as !== undefined ? 'stated' : 'broken',
      is: isEffect ? 'failing' : undefined,
      since: change?.at ?? shown.at,
      change: change?.change,
      guilty,
      finding: finding.replace('…', () => subject ?? unknown),
      evidence: [quote(shown), change?.text],
    };
  });

const TAKEN = /address already in use|EADDRINUSE|bind\(?\)?.{0,60}(?:failed|in use)|port .{0,20}(?:already )?in use/i;
const PORT = /(?::|port |\.)(\d{2,5})\b(?!\.)/i;
/** Listening ports are read every five minutes. */
const PORTS_SECONDS = 360;
/** The fields that say that a port was opened. */
const openedPort = ({ changes }: HostMoment, port: string | undefined) =>
  changes
    .filter(({ kind }) => kind === 'ports')
    .flatMap(({ at, fields }) => fields.map((field) => ({ ...field, at })))
    .find(({ field, after }) => port !== undefined && after !== null && field.split(/\D+/).includes(port));
/** A unit cannot start because its port is taken: by the one that began to listen before. */
const portTaken = hostMechanism('port_taken', 'Port is taken', (host) => {
  const said = host.said.find(({ text }) => TAKEN.test(text));
  if (said === undefined) return null;
  const port = PORT.exec(said.text)?.[1];
  const opened = openedPort(host, port);
  const isOpener = (at: number): boolean =>
    opened === undefined || (at <= opened.at + REPORT_SECONDS && at > opened.at - PORTS_SECONDS);
  const [started] = mostBy(
    host.said.filter(
      ({ kind, subject, at }) =>
        kind === 'service_start' &&
        subject !== null &&
        subject !== said.subject &&
        !BACKGROUND.test(subject) &&
        isOpener(at) &&
        at <= said.at + REPORT_SECONDS &&
        at > said.at - HOUR_SECONDS,
    ),
    ({ at }) => at,
  );
  return {
    brings: ['unit', 'crash', 'failing', 'cpu'],
    specificity: 'stated',
    since: started?.at ?? said.at,
    // The unit that took the port first is guilty. Without its name the unit that complains stands for both.
    guilty: part('unit', started?.subject ?? said.subject),
    finding: `${said.subject ?? 'A unit'} cannot start: port ${port ?? ''} is taken${started === undefined ? '' : `, ${started.subject ?? ''} started before`}.`,
    evidence: [
      quote(said),
      opened && { text: `port ${port ?? ''} was opened: ${opened.after ?? ''}`, at: opened.at },
      quote(started),
    ],
    next: 'See who listens (`ss -ltnp`), and give one of them another port.',
  };
});

const isLess = (before: string | null, after: string | null): boolean =>
  after?.endsWith(' read-only') === true && before?.endsWith(' read-only') === false;
/** A file system that was mounted before is gone, or may no longer be written. */
const mountGone = hostMechanism('mount_gone', 'File system is gone', ({ changes, at }) => {
  const [gone] = mostBy(
    changes
      .filter((change) => change.kind === 'mounts' && change.at <= at && change.at > at - HOUR_SECONDS)
      .flatMap((change) =>
        change.fields.flatMap(({ field, was, before, after }) =>
          was === 'removed' || isLess(before, after) ? [{ change, mount: field, was }] : [],
        ),
      ),
    ({ change }) => change.at,
  );
  if (gone === undefined) return null;
  return {
    brings: ['failing', 'unit', 'crash', 'io', 'load', 'disk'],
    specificity: 'broken',
    since: gone.change.at,
    change: gone.change,
    guilty: part('filesystem', gone.mount),
    is: gone.was === 'removed' ? undefined : 'disk',
    finding: `${gone.mount} is ${gone.was === 'removed' ? 'no longer mounted' : 'read-only'} since ${clock(gone.change.at)}.`,
    evidence: [gone.change.title],
    next: `Mount it again as it was: \`mount ${gone.mount}\`, and see why it went (\`journalctl -u '*.mount'\`).`,
  };
});

const NO_FILE = /(?:ENOENT|no such file or directory)/i;
const PATH = /(?<![\w/])(\/[\w.@+-]{1,100}(?:\/[\w.@+-]{1,100})+)/;
/** Units whose work is to delete. */
const DELETES = /clean|purge|prune|delet|remov|wipe|expir|sweep|tidy|retention|rotat|tmpfiles|tmpwatch/i;
const DELETED_SECONDS = 1800;
/** A program misses a file that it needs: a job that deletes may have taken it. */
const fileMissing = hostMechanism('file_missing', 'File is missing', (host) => {
  const said = host.said.find(
    ({ kind, text, at }) =>
      kind === 'journal_error' && at > host.at - HOUR_SECONDS && NO_FILE.test(text) && PATH.test(text),
  );
  if (said === undefined) return null;
  const came = [
    ...host.events
      .filter(({ type }) => /^service_(?:re)?start$/.test(type))
      .map(({ name, at }) => ({ name, at, change: undefined })),
    ...host.changes.flatMap((change) =>
      change.kind === 'units' ? change.fields.map(({ field }) => ({ name: field, at: change.at, change })) : [],
    ),
  ].filter(
    ({ name, at }) =>
      /^[^/]+\.(?:service|timer)$/.test(name) &&
      DELETES.test(name) &&
      name !== said.subject &&
      at <= said.at + REPORT_SECONDS &&
      at > said.at - DELETED_SECONDS,
  );
  const [job] = mostBy(came, ({ at }) => at);
  return {
    brings: ['failing', 'unit', 'crash'],
    is: job === undefined ? 'failing' : undefined,
    specificity: job === undefined ? 'state' : 'broken',
    since: job?.at ?? said.at,
    change: job?.change,
    guilty: part('unit', job?.name.replace(/\.timer$/, '.service') ?? said.subject),
    finding: `${said.subject ?? 'A program'} misses a file${job === undefined ? '' : `, and ${job.name} came or ran before`}.`,
    evidence: [quote(said), job && { text: job.change?.title ?? `${job.name} started`, at: job.at }],
    next: 'Bring the file back, from a backup or its package, and see what removed it.',
  };
});

export const statedMechanisms: readonly Mechanism[] = [...STATED.map(stated), portTaken, mountGone, fileMissing];
