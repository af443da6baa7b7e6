import type { Pod } from '@plimsoll/contract/wire/kubernetes';
import type { PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import type { ChartPoint } from '../chart/points/chart-shape.ts';
import { numberText } from '../../format/figures.ts';
import { spanText } from '../chart/points/series-shape.ts';

/** Per cents at which a bar of usage changes its colour: below 60 clear, below 80 near, else over. */
export const USAGE_LINE = 80;

export const coresText = (cores: number | null) => numberText(cores, 3);
export const megabytesText = (megabytes: number | null) => numberText(megabytes, 0);
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

/** "of 2.000, request 1.000"; null when neither is set. */
export function boundsText(limit: number | null, request: number | null, places: number): string | null {
  const words = [
    limit === null ? null : `of ${numberText(limit, places)}`,
    request === null ? null : `request ${numberText(request, places)}`,
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
