import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import { MOST } from '@plimsoll/contract/wire/number-bounds';
import type { PressurePart } from '@plimsoll/contract/wire/report';
import { figureKey } from '../collect-readings.ts';
import type { Figures } from '../figures.ts';

type Line = NonNullable<PressurePart['cpu']>['some'];

/**
 * Makes the pressure of the counters of node_exporter. It sends the seconds waited and not the kernel's averages: the mean
 * of the report interval, a minute, stands for that of the minute. Undefined: it sends none.
 */
export function shapePressure(figures: Figures): PressurePart | undefined {
  const line = (resource: string, kind: 'waiting' | 'stalled'): Line | null => {
    const key = figureKey('pressure', resource, kind);
    const total = figures.value(key);
    if (total === null || total < 0 || total > MOST.exact) return null;
    return { avg10: null, avg60: boundedPercentOf(figures.perSecond(key), 1), avg300: null, total_seconds: total };
  };
  const both = (resource: string): PressurePart['memory'] => {
    const [some, full] = [line(resource, 'waiting'), line(resource, 'stalled')];
    return some === null || full === null ? null : { some, full };
  };
  const cpu = line('cpu', 'waiting');
  const part = { cpu: cpu && { some: cpu }, memory: both('memory'), io: both('io') };
  return Object.values(part).every((one) => one === null) ? undefined : part;
}
