import type { Origin } from '@plimsoll/contract/wire/kubernetes';
import type { UsageSource } from '@plimsoll/contract/rules/kubernetes-limits';
import { ageText } from '../../time/age.ts';
import { spanText } from '../chart/points/series-shape.ts';

const NAME: Record<UsageSource, string> = {
  'node-agent': 'node agent',
  kubelet: 'kubelet',
  'metrics-server': 'metrics-server',
  prometheus: 'Prometheus',
};
export const sourceName = (source: UsageSource) => NAME[source];

/** "metrics-server, 20 s old"; null where nobody told the figure. */
export function originText({ source, age_seconds: age }: Origin): string | null {
  if (source === null) return null;
  return age === null ? NAME[source] : `${NAME[source]}, ${ageText(age)} old`;
}

interface Sourced {
  timestamp: number;
  source?: UsageSource | undefined;
}

/** "Prometheus 06:41–07:52": what of a history was taken over from before our own collectors; null when nothing was. */
export function takenOverText(points: readonly Sourced[], bucketSeconds: number): string | null {
  const others = points.filter(({ source }) => source !== undefined);
  const [first, last] = [others[0], others.at(-1)];
  if (first?.source === undefined || last === undefined) return null;
  return `${NAME[first.source]} ${spanText(first.timestamp, last.timestamp + bucketSeconds)}`;
}
