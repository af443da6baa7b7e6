import type { Pod } from '@plimsoll/contract/wire/kubernetes';
import { HELD_REASON, type PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import type { ChartPoint } from '../chart/points/chart-shape.ts';
import { numberText, plural } from '../../format/figures.ts';
import { clockTime, dayAndTime } from '../../time/zone.ts';
import { spanText } from '../chart/points/series-shape.ts';

/** Per cents at which a bar of usage changes its colour: below 60 clear, below 80 near, else over. */
export const USAGE_LINE = 80;

export const coresText = (cores: number | null) => numberText(cores, 3);
/** From here on megabytes have five digits: gigabytes read better. */
const LONG_MEGABYTES = 10_000;
const MEGABYTES_PER_GIGABYTE = 1024;

/** Returns memory in MB, in GB where MB has more than four digits: "6,210 MB", "19.5 GB". */
export const megabytesQuantity = (megabytes: number | null): { value: string | null; unit: string } =>
  megabytes !== null && megabytes >= LONG_MEGABYTES
    ? { value: numberText(megabytes / MEGABYTES_PER_GIGABYTE, 1), unit: 'GB' }
    : { value: numberText(megabytes, 0), unit: 'MB' };

/** Memory of a sum over pods: GB from 1,024 MB on, as "1.5 GB"; null stays null. */
export const sumMemoryText = (megabytes: number | null): string | null =>
  megabytes !== null && megabytes >= MEGABYTES_PER_GIGABYTE
    ? `${numberText(megabytes / MEGABYTES_PER_GIGABYTE, 1) ?? ''} GB`
    : memoryText(megabytes);

/** "6,210 MB"; null stays null. */
export function memoryText(megabytes: number | null): string | null {
  const { value, unit } = megabytesQuantity(megabytes);
  return value === null ? null : `${value} ${unit}`;
}
export const percentText = (percent: number | null) => numberText(percent, 1);

export const podKey = (pod: { cluster_id: string; namespace: string; pod_name: string }) =>
  `${pod.cluster_id}/${pod.namespace}/${pod.pod_name}`;

/** Bytes of a server id that are shown. */
const SHORT_ID = 8;
export const shortId = (serverId: string) => serverId.slice(0, SHORT_ID);

export type PhaseTone = 'ok' | 'near' | 'over' | 'quiet';
const PHASE_TONE: Record<PodPhase, PhaseTone> = {
  Running: 'ok',
  Pending: 'near',
  Failed: 'over',
  Succeeded: 'quiet',
  Unknown: 'quiet',
};
export const phaseTone = (phase: PodPhase): PhaseTone => PHASE_TONE[phase];

const HOUR = 3600;
const DAY = 86_400;
/** "under 1 h", "under 7 d", "older". */
export function ageBucketText(underSeconds: number | null): string {
  if (underSeconds === null) return 'older';
  return underSeconds < DAY ? `under ${underSeconds / HOUR} h` : `under ${underSeconds / DAY} d`;
}

/** "1 pod older than 30 d has no owner: possible zombie pod"; null when there is none. */
export function zombieText(zombies: number): string | null {
  if (zombies === 0) return null;
  return zombies === 1
    ? '1 pod older than 30 d has no owner: possible zombie pod'
    : `${numberText(zombies)} pods older than 30 d have no owner: possible zombie pods`;
}

/** "Deployment catalog-search"; null: nobody owns it. */
export const ownerText = ({ owner_kind: kind, owner_name: name }: Pick<Pod, 'owner_kind' | 'owner_name'>) =>
  kind === null || name === null ? null : `${kind} ${name}`;

/** "limit 2.000, request 1.000"; null when neither is set. */
export function boundsText(
  limit: number | null,
  request: number | null,
  textOf: (amount: number) => string | null,
): string | null {
  const words = [
    limit === null ? null : `limit ${textOf(limit)}`,
    request === null ? null : `request ${textOf(request)}`,
  ].filter((each) => each !== null);
  return words.length === 0 ? null : words.join(', ');
}

/** Stretches without a value, for the hatch of a chart. A single missing bucket is not worth a mark. */
export function gapsOf(points: readonly ChartPoint[], bucketSeconds: number) {
  const gaps: { from: number; to: number; label: string; words: string }[] = [];
  let from: number | null = null;
  const close = (to: number) => {
    if (from !== null && to - from > bucketSeconds) {
      const label = `no reports ${spanText(from, to)}`;
      gaps.push({ from, to, label, words: label });
    }
    from = null;
  };
  for (const { at, avg } of points) {
    if (avg === null) from ??= at;
    else close(at);
  }
  return gaps;
}

type State = Pick<Pod, 'phase' | 'reason' | 'ready' | 'deleting'>;

/** A scheduling gate holds the pod on purpose. */
export const isHeld = ({ phase, reason }: { phase: PodPhase; reason?: string | null | undefined }): boolean =>
  phase === 'Pending' && reason === HELD_REASON;
const HELD_WORDS = 'Held by a scheduling gate';

/** Returns the state that the phase hides: a pod that terminates, or one that runs and takes no traffic. */
export function stateWords({ phase, reason, ready, deleting }: Partial<State> & Pick<State, 'phase'>): string | null {
  if (deleting === true) return 'Terminating';
  if (isHeld({ phase, reason })) return HELD_WORDS;
  return phase === 'Running' && ready === false ? 'Not ready' : null;
}

export type PodGroup = 'broken' | 'waiting' | 'well' | 'finished';
/** Groups of the list sorted by state, in the order the API sorts them. */
export const POD_GROUPS: Record<PodGroup, string> = {
  broken: 'Broken',
  waiting: 'Waiting, not ready or terminating',
  well: 'Running and ready',
  finished: 'Finished',
};
export function podGroup({ phase, reason, ready, deleting }: State): PodGroup {
  if (phase === 'Succeeded') return 'finished';
  if (deleting) return 'waiting';
  if (isHeld({ phase, reason })) return 'waiting';
  if (phase === 'Failed' || phase === 'Unknown' || reason !== null) return 'broken';
  return phase === 'Pending' || !ready ? 'waiting' : 'well';
}

const DAY_MS = 86_400_000;
const changedText = (at: number, nowMs: number) => (nowMs - at < DAY_MS ? clockTime(at) : dayAndTime(at));

/** "OOMKilled at 512 MB" or "Error, exit code 1"; null when no run has ended. */
function causeOf(pod: Pod): string | null {
  const container =
    pod.containers.find(({ name }) => name === pod.last_restart?.container) ??
    pod.containers.find(({ exit, last_termination: last }) => exit !== null || last !== null);
  const end = container?.exit ?? container?.last_termination ?? pod.last_restart;
  if (end == null) return null;
  const limit = container?.limits.memory_mb ?? null;
  if (end.reason === 'OOMKilled') return `OOMKilled${limit === null ? '' : ` at ${memoryText(limit)}`}`;
  const code = end.exit_code === null ? null : `exit code ${end.exit_code}`;
  return [end.reason, code].filter((each) => each !== null).join(', ') || null;
}

/** "CrashLoopBackOff: OOMKilled at 512 MB, 14 restarts, image changed 21:10"; null for a pod that is well. */
export function whyText(pod: Pod, changedAt: number | null, nowMs: number): string | null {
  const group = podGroup(pod);
  if (group === 'finished' || (group === 'well' && pod.restarts_24h === 0)) return null;
  const head = (isHeld(pod) ? null : pod.reason) ?? stateWords(pod) ?? (group === 'well' ? 'Restarted' : pod.phase);
  const cause = causeOf(pod);
  const rest = [
    cause === head ? null : cause,
    pod.restart_count > 0 ? plural(pod.restart_count, 'restart') : null,
    changedAt === null ? null : `image changed ${changedText(changedAt, nowMs)}`,
  ].filter((each) => each !== null);
  return rest.length === 0 ? head : `${head}: ${rest.join(', ')}`;
}
