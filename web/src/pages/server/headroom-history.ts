import type { TimeseriesPoint } from '@plimsoll/contract/metrics';
import type { Headroom } from '@plimsoll/contract/servers';
import { ageText } from '../../time/age.ts';
import { bandPoints, overSince, peakOf } from '../../components/chart/points/series-shape.ts';
import { clockTime } from '../../time/zone.ts';

/** "since 20:50, 18 min" for a resource over its line; its highest moment for one below; null when nothing is known. */
export function sinceText(headroom: Headroom, points: readonly TimeseriesPoint[], nowMs: number): string | null {
  const series = bandPoints(points, headroom.resource);
  if (headroom.points <= 0) {
    const since = overSince(series, headroom.line);
    return since === null ? null : `since ${clockTime(since * 1000)}, ${ageText(nowMs / 1000 - since)}`;
  }
  const peak = peakOf(series);
  return peak === null ? null : `highest in this range ${peak.value.toFixed(1)} % at ${clockTime(peak.at * 1000)}`;
}
