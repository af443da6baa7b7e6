import type { FocusEvent, KeyboardEvent } from 'react';
import type { Plot } from './points/chart-shape.ts';
import { nearestPoint } from './points/chart-shape.ts';
import { cursor } from '../../state/chart-cursor.ts';
import { steppedMoment } from '../../time/moment.ts';
import { useStored } from '../../state/use-stored.ts';
import { momentName } from './points/chart-ticks.ts';
import type { ChartSeries } from './series.tsx';

interface Picking {
  plot: Plot;
  series: readonly ChartSeries[];
  moment: number | null;
  onMoment: ((at: number) => void) | undefined;
}

/** Returns the text for screen readers while the arrow keys move: "14:05, CPU 91.4, Memory 68.0". */
function saidAt({ plot, series }: Picking, at: number): string {
  const values = series
    .filter(({ ghost }) => !ghost)
    .map(({ label, points }) => `${label} ${nearestPoint(points, at)?.avg?.toFixed(1) ?? 'not known'}`);
  return [momentName(at, plot.to - plot.from), ...values].join(', ');
}

/** The plot by keyboard: arrows move the page's cursor from report to report, Enter picks the moment under it. */
export function usePicking(picking: Picking) {
  const { plot, series, moment, onMoment } = picking;
  const [under] = useStored(cursor);
  if (onMoment === undefined) return { role: 'img' };
  const moments = series[0]?.points.map(({ at }) => at).filter((at) => at >= plot.from && at <= plot.to) ?? [];
  const inside = (at: number | null) => at !== null && at >= plot.from && at <= plot.to;
  const at = [under, moment, moments.at(-1) ?? null].find(inside) ?? plot.to;
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-valuemin': plot.from,
    'aria-valuemax': plot.to,
    'aria-valuenow': at,
    'aria-valuetext': saidAt(picking, at),
    onFocus(event: FocusEvent<SVGRectElement>) {
      if (event.currentTarget.matches(':focus-visible')) cursor.set(at);
    },
    onBlur() {
      cursor.set(null);
    },
    onKeyDown(event: KeyboardEvent<SVGRectElement>) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        onMoment(at);
        return;
      }
      const next = steppedMoment(moments, at, event.key);
      if (next === null) return;
      event.preventDefault();
      cursor.set(next);
    },
  };
}
