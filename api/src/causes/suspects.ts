import { cutText } from '@plimsoll/contract/rules/printable-text';
import { workloadRefOf } from './entities.ts';
import type { ChangeSeen, PodSeen, ProcessSeen, ServerSeen } from './evidence.ts';
import type { HostMoment, ImageChange } from './host-moment.ts';
import { shiftOf } from './shift.ts';

/** Attributes what changed to programs, pods and changes. */

const HOUR = 3600;

/** All processes of one name together: a pool of workers is one program. */
export interface Program {
  name: string;
  count: number;
  countBefore: number;
  cpuPercent: number;
  cpuBefore: number;
  memoryBytes: number;
  memoryBefore: number;
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
  const names = [...new Set(processes.map(({ name }) => name))];
  return names.map((name) => {
    const now = processes.filter((process) => process.name === name);
    const then = processesBefore.filter((process) => process.name === name);
    const sum = (list: readonly ProcessSeen[], of: (process: ProcessSeen) => number): number =>
      list.reduce((total, process) => total + of(process), 0);
    const busiest = now.toSorted((a, b) => b.cpuPercent - a.cpuPercent)[0];
    return {
      name,
      count: now.length,
      countBefore: then.length,
      cpuPercent: sum(now, ({ cpuPercent }) => cpuPercent),
      cpuBefore: sum(then, ({ cpuPercent }) => cpuPercent),
      memoryBytes: sum(now, ({ memoryBytes }) => memoryBytes),
      memoryBefore: sum(then, ({ memoryBytes }) => memoryBytes),
      startedAt: Math.max(0, ...now.map(({ startedAt }) => startedAt)),
      pid: busiest?.pid ?? 0,
      command: busiest?.command ?? '',
    };
  });
}

const COMMAND_CHARACTERS = 120;
/** Returns a line of evidence with the command line of a program, where it says more than the name. */
export const commandLine = ({ name, command }: Program): string[] =>
  command.length <= name.length ? [] : [`its command: ${cutText(command, COMMAND_CHARACTERS)}`];

/** The onset is known to some points of the series only. */
const ONSET_SECONDS = 0.75 * HOUR;
/** Started about when it began, or, where its start is not known, was not among the programs before. */
export const isNew = (program: Program, onset: number): boolean =>
  program.startedAt > 0 ? Math.abs(program.startedAt - onset) <= ONSET_SECONDS : program.countBefore === 0;

export interface Change {
  at: number;
  text: string;
  image: ImageChange | null;
  /** Entry of the ledger. */
  change?: ChangeSeen;
}
/** Sections of a host whose change may break a program. */
const TELLING_SECTIONS = new Set(['packages', 'units', 'files', 'sysctls', 'mounts', 'deploy']);

/** Services and packages that every machine starts and updates by itself: they explain nothing by their mere time. */
export const BACKGROUND =
  /\b(?:systemd-\w+|certbot|motd-news|fwupd\S*|apt-daily\S*|apt|dpkg|logrotate|man-db|snapd|packagekit|unattended-upgrades|tzdata|e2scrub\S*|anacron|dnf-makecache|session|plimsoll)\b/i;
/** An effect follows a change within this time. The onset is known to some minutes only. */
const CHANGE_BEFORE = HOUR;
const CHANGE_AFTER = 600;

/** Changes shortly before an onset, the nearest first; those that name the suspect before all others. */
export function changesBefore(
  evidence: Pick<HostMoment, 'events' | 'imageChanges'> & Partial<Pick<HostMoment, 'changes'>>,
  onset: number,
  suspect: string | null,
): Change[] {
  const near = (at: number): boolean => at <= onset + CHANGE_AFTER && at >= onset - CHANGE_BEFORE;
  const named = (text: string): boolean => suspect !== null && text.toLowerCase().includes(suspect.toLowerCase());
  const images = evidence.imageChanges
    .filter(({ at }) => near(at))
    .map((image) => ({ at: image.at, text: `image ${image.from} → ${image.to}`, image }));
  const events = evidence.events
    .filter(
      ({ type, message, at }) =>
        near(at) &&
        (['config_change', 'update_installed'].includes(type) ||
          (type.startsWith('service_') && type !== 'service_stop')) &&
        (named(message) || !BACKGROUND.test(message)),
    )
    .map(({ at, message, type }) => ({ at, text: message, image: null, rank: type.startsWith('service') ? 1 : 0 }));
  const ledger = (evidence.changes ?? [])
    .filter(
      (change) =>
        near(change.at) && TELLING_SECTIONS.has(change.kind) && (named(change.title) || !BACKGROUND.test(change.title)),
    )
    .map((change) => ({ at: change.at, text: change.title, image: null, change, rank: 0 }));
  const rankOf = (change: Change & { rank?: number }): number => (named(change.text) ? -1 : (change.rank ?? 0));
  return [...images, ...ledger, ...events].toSorted(
    (a, b) => rankOf(a) - rankOf(b) || Math.abs(onset - a.at) - Math.abs(onset - b.at),
  );
}

export interface Riser {
  pod: PodSeen;
  name: string;
  workload: string;
  /** Cores it used before, and uses. */
  was: number;
  is: number;
  isLimited: boolean;
  image: ImageChange | null;
}
/** Returns the pod of the node whose use of CPU rose most. A pod that did not exist used nothing. */
export function risingPod({ pods, imageChanges, at }: HostMoment, onset: number): Riser | null {
  const risers = pods.map((pod): Riser => {
    const shift = shiftOf(pod.cpuCores, at);
    const last = pod.cpuCores.findLast(({ at: time, value }) => value !== null && time <= at + 300)?.value ?? 0;
    const young = pod.createdAt > onset - HOUR;
    const workload = `${pod.namespace}/${workloadRefOf(pod).name}`;
    const [image] = imageChanges.filter((change) => change.workload === workload).toSorted((a, b) => b.at - a.at);
    return {
      pod,
      name: `${pod.namespace}/${pod.name}`,
      workload,
      was: young ? 0 : (shift?.was ?? last),
      is: Math.max(shift?.is ?? 0, last),
      isLimited: pod.containers.some(({ cpuLimitCores }) => cpuLimitCores !== null),
      image: image ?? null,
    };
  });
  return risers.toSorted((a, b) => b.is - b.was - (a.is - a.was) || (a.name < b.name ? -1 : 1))[0] ?? null;
}
