import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { cutText } from '@plimsoll/contract/rules/printable-text';
import { workloadRefOf } from './entities.ts';
import type { ChangeSeen, PodSeen, ServerSeen } from './evidence.ts';
import { clock, mostBy } from './figures.ts';
import { shiftOf } from './shift.ts';

/** Attributes what changed to programs, pods and changes. */

/** All processes of one name together: a pool of workers is one program. */
export interface Program {
  name: string;
  count: number;
  countBefore: number;
  cpuPercent: number;
  /** Beyond what it used before. */
  cpuMore: number;
  memoryBytes: number;
  memoryMore: number;
  /** Start of its youngest process; 0: not known. */
  startedAt: number;
  pid: number;
  /** The command of its busiest process; empty: not known. */
  command: string;
}

export function programsOf({
  processes,
  processesBefore,
}: Pick<ServerSeen, 'processes' | 'processesBefore'>): Program[] {
  const before = Map.groupBy(processesBefore, ({ name }) => name);
  return [...Map.groupBy(processes, ({ name }) => name)].map(([name, now]) => {
    const then = before.get(name) ?? [];
    const sum = (of: 'cpuPercent' | 'memoryBytes', list = now): number =>
      list.reduce((total, process) => total + process[of], 0);
    const [busiest] = mostBy(now, ({ cpuPercent }) => cpuPercent);
    return {
      name,
      count: now.length,
      countBefore: then.length,
      cpuPercent: sum('cpuPercent'),
      cpuMore: sum('cpuPercent') - sum('cpuPercent', then),
      memoryBytes: sum('memoryBytes'),
      memoryMore: sum('memoryBytes') - sum('memoryBytes', then),
      startedAt: Math.max(0, ...now.map(({ startedAt }) => startedAt)),
      pid: busiest?.pid ?? 0,
      command: busiest?.command ?? '',
    };
  });
}

const COMMAND_CHARACTERS = 120;
/** Returns a line of evidence with the command line of a program, where it says more than the name. */
export const commandLine = ({ name, command }: Program): string =>
  command.length <= name.length ? '' : `its command: ${cutText(command, COMMAND_CHARACTERS)}`;

/** The onset is known to some points of the series only. */
const ONSET_SECONDS = 0.75 * HOUR_SECONDS;
/** Started about when it began, or, where its start is not known, was not among the programs before. */
export const isNew = (program: Program, onset: number): boolean =>
  program.startedAt > 0 ? Math.abs(program.startedAt - onset) <= ONSET_SECONDS : program.countBefore === 0;

export interface Change {
  at: number;
  text: string;
  /** Namespace and name of a workload whose image changed. */
  workload?: string;
  /** Entry of the ledger. */
  change?: ChangeSeen;
  /** Its text names the suspect, or the suspect's own words name what changed. */
  isNamed?: boolean;
}
/** Sections of a host whose change may break a program. */
const TELLING_SECTIONS = new Set(['packages', 'units', 'files', 'sysctls', 'mounts']);
const TELLING_EVENTS = /^(?:config_change|update_installed|service_(?!stop))/;

/** Services and packages that every machine starts and updates by itself: they explain nothing by their mere time. */
export const BACKGROUND =
  /\b(?:systemd-\w+|certbot|motd-news|fwupd\S*|apt-daily\S*|apt|dpkg|logrotate|man-db|snapd|packagekit|unattended-upgrades|tzdata|e2scrub\S*|anacron|fstrim|updatedb|plocate\S*|sysstat\S*|mdcheck\S*|phpsessionclean|dnf-makecache|session|plimsoll)\b/i;
/** An effect follows a change within this time. The onset is known to some minutes only. */
const CHANGE_BEFORE = HOUR_SECONDS;
const CHANGE_AFTER = 600;
const JUST_BEFORE_SECONDS = 300;

/** Candidates for a change of a figure. */
interface Surroundings extends Pick<ServerSeen, 'events'> {
  changes: readonly ChangeSeen[];
  imageChanges: readonly Change[];
}

/** Settings of a machine, and what programs say when one of them does not suit. */
const EFFECTS: readonly (readonly [setting: RegExp, words: RegExp])[] = [
  [/resolv\.conf|nsswitch|resolved/, /name resolution|EAI_AGAIN|ENOTFOUND|could not resolve|SERVFAIL/i],
  [
    /\/etc\/(?:hosts\b|net|iptables|nft|firewall|ufw)/,
    /E(?:NET|HOST)UNREACH|ETIMEDOUT|ECONNREFUSED|unreachable|no route|timed out/i,
  ],
  [/\/etc\/(?:passwd|shadow|group)/, /credentials|no such user|unknown user|getpwnam/i],
  [/nf_conntrack/, /conntrack/i],
  [/vm\.overcommit|pid_max|threads-max/, /cannot allocate memory|resource temporarily unavailable|can't fork/i],
  [/fs\.(?:file-max|nr_open|inotify)/, /open files|file descriptor|inotify|EMFILE|ENFILE/i],
  [/ip_local_port_range|tcp_tw_reuse/, /EADDRNOTAVAIL|cannot assign requested address/i],
  [/max_map_count/, /max_map_count|mmap/i],
];
/** "libssl3 3.0.15 → 3.0.16" is the library of "error 4 in libssl.so.3". Shorter names are parts of many words. */
const TELLING_NAME = 5;
const isSaid = (text: string, said: string): boolean => {
  const name = /[a-z][a-z_.-]{3,}/i.exec(text.split(/\s/)[0]?.split('/').at(-1) ?? '')?.[0] ?? '';
  return (
    (name.length >= TELLING_NAME && said.includes(name)) ||
    EFFECTS.some(([setting, words]) => setting.test(text) && words.test(said))
  );
};
/** Changes shortly before an onset, the nearest first; those that name the suspect, or that it names, before all others. */
export function changesBefore(
  { changes, events, imageChanges }: Surroundings,
  onset: number,
  suspect: string | null,
  said = '',
): Change[] {
  const near = ({ at }: { at: number }): boolean => at <= onset + CHANGE_AFTER && at >= onset - CHANGE_BEFORE;
  const named = (text: string): boolean => suspect !== null && text.toLowerCase().includes(suspect.toLowerCase());
  const isTelling = (text: string): boolean => named(text) || !BACKGROUND.test(text);
  const ledger = changes
    .filter(({ kind, source, title }) => (TELLING_SECTIONS.has(kind) || source === 'deploy') && isTelling(title))
    .map((change) => ({ at: change.at, text: change.title, change, rank: 0 }));
  const told = events
    .filter(({ type, message }) => TELLING_EVENTS.test(type) && isTelling(message))
    .map(({ at, message, type }) => ({ at, text: message, rank: type.startsWith('service') ? 1 : 0 }));
  const rankOf = (change: Change & { rank?: number }): number => (change.isNamed === true ? -1 : (change.rank ?? 0));
  return [...imageChanges, ...ledger, ...told]
    .filter(near)
    .map((change) => ({ ...change, isNamed: named(change.text) || isSaid(change.text, said) }))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || Math.abs(onset - a.at) - Math.abs(onset - b.at));
}
/** A line of evidence with a change of the program or, of any other, one that came just before. */
export function changeLine(
  host: Surroundings,
  onset: number | null,
  name: string | null,
  shown?: string | null,
): string {
  const [change] = onset === null ? [] : changesBefore(host, onset, name);
  const isNear = change !== undefined && onset !== null && Math.abs(onset - change.at) <= JUST_BEFORE_SECONDS;
  return change === undefined || change.text === shown || !(isNear || change.isNamed === true)
    ? ''
    : `a change came before it, at ${clock(change.at)}: ${change.text}`;
}

export interface Riser {
  pod: PodSeen;
  name: string;
  workload: string;
  /** Cores it uses, and beyond what it used before. */
  is: number;
  more: number;
  isLimited: boolean;
  image: Change | undefined;
}
/** Returns the pod of the node whose use of CPU rose most. A pod that did not exist used nothing. */
export function risingPod(
  { pods, imageChanges, at }: Pick<Surroundings, 'imageChanges'> & { pods: readonly PodSeen[]; at: number },
  onset: number,
): Riser | null {
  const risers = pods.map((pod): Riser => {
    const shift = shiftOf(pod.cpuCores, at);
    const last = pod.cpuCores.findLast(({ at: time, value }) => value !== null && time <= at + 300)?.value ?? 0;
    const was = pod.createdAt > onset - HOUR_SECONDS ? 0 : (shift?.was ?? last);
    const is = Math.max(shift?.is ?? 0, last);
    const workload = `${pod.namespace}/${workloadRefOf(pod).name}`;
    return {
      pod,
      name: `${pod.namespace}/${pod.name}`,
      workload,
      is,
      more: is - was,
      isLimited: pod.containers.some(({ cpuLimitCores }) => cpuLimitCores !== null),
      image: mostBy(
        imageChanges.filter((change) => change.workload === workload),
        (change) => change.at,
      )[0],
    };
  });
  return risers.toSorted((a, b) => b.more - a.more || (a.name < b.name ? -1 : 1))[0] ?? null;
}
