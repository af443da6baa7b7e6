import type { LatestMetricsItem, TimeseriesAnswer, TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { bandOf, nearPointsOf } from '@plimsoll/contract/rules/headroom';
import type { Resource } from '@plimsoll/contract/rules/limits';
import type { CallFailure } from '../../components/feedback/states.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { timeLeft } from '../../format/forecast-words.ts';
import { cssVars } from '../../components/css-vars.ts';
import { gigabytesText, numberText } from '../../format/figures.ts';
import { momentName } from '../../components/chart/points/chart-ticks.ts';
import { peakOfFigure, peakTime } from '../../components/chart/points/peak-moment.ts';
import { bandPoints, peakOf } from '../../components/chart/points/series-shape.ts';
import { fullestText } from './fullest-filesystem.ts';
import { LoadTile, SwapTile } from './swap-and-load.tsx';

interface MetricTilesProps {
  server: ServerDetail;
  latest: LatestMetricsItem | undefined;
  /** Why the figures were not loaded; null while they are. */
  failure: CallFailure | null;
  points: readonly TimeseriesPoint[] | undefined;
  /** The highest moments of the range; absent where a moment of the past cuts it. */
  peaks?: TimeseriesAnswer['peaks'];
}

/** The IO wait bar ends a quarter past its line: a per cent of 100 would hide all it can say. */
const IO_WAIT_SCALE = 1.25;

const NAME = { cpu: 'CPU', memory: 'Memory', disk: 'Disk', io_wait: 'IO Wait' } as const;
const FIGURE = { cpu: 'cpu_usage', memory: 'memory_usage', disk: 'disk_usage', io_wait: 'io_wait' } as const;

function usedText(used: number | null | undefined, total: number | null): string | undefined {
  if (used == null || total === null) return undefined;
  return total < 1024
    ? `${numberText(used, 1)} of ${gigabytesText(total)}`
    : `${gigabytesText(used)} of ${gigabytesText(total)}`;
}

/** Returns why there is no figure: the call failed, nothing was ever reported, or the reason of the report. */
function reasonOf({ server, latest, failure }: MetricTilesProps, reason: string | null | undefined): string {
  if (latest === undefined && failure !== null) return `not loaded: ${failure.message}`;
  return server.last_seen_at === null || reason == null ? 'No metrics available' : reason;
}

function factOf(resource: Resource, { server, latest, points = [], peaks }: MetricTilesProps): string | undefined {
  const metrics = latest?.metrics;
  if (resource === 'memory') return usedText(metrics?.memory_used_gb.value, server.total_memory);
  if (resource === 'io_wait') return `line ${server.lines.io_wait.warning} %`;
  const series = bandPoints(points, resource);
  if (resource === 'disk') {
    // The forecast of the API, as every other screen has it: a second one from these points would name another time.
    const reachesAt = server.disk_forecast?.reaches_at ?? null;
    if (reachesAt !== null) return `at its line ${timeLeft(reachesAt, Date.now())}`;
    return fullestText(server.filesystems, metrics?.disk_usage.value ?? null);
  }
  const span = (points.at(-1)?.timestamp ?? 0) - (points[0]?.timestamp ?? 0);
  const known = peakOfFigure(peaks, resource);
  if (known !== null) return `peak ${known.value.toFixed(1)} at ${peakTime(known, span)}`;
  const peak = peakOf(series);
  return peak === null ? undefined : `peak ${peak.value.toFixed(1)} at ${momentName(peak.at, span)}`;
}

function ResourceTile(props: MetricTilesProps & { resource: Resource; wide?: boolean }) {
  const { server, latest, resource, wide = false } = props;
  const { value = null, reason } = latest?.metrics[FIGURE[resource]] ?? {};
  const { warning, critical } = server.lines[resource];
  const near = nearPointsOf(resource, warning);
  const stale = server.status !== 'active';
  const scale = resource === 'io_wait' ? { max: Math.max(warning * IO_WAIT_SCALE, value ?? 0) } : {};
  return (
    <StatTile
      label={NAME[resource]}
      value={numberText(value, 1)}
      unit="%"
      reason={reasonOf(props, reason)}
      wide={wide}
      band={stale || value === null ? 'ok' : bandOf(value, warning, near)}
      bar={
        <CapacityBar
          name={NAME[resource]}
          value={value}
          line={warning}
          critical={critical}
          near={near}
          stale={stale}
          {...scale}
        />
      }
      fact={factOf(resource, props)}
    />
  );
}

/** CPU, Load, Memory, Swap, Disk, IOPS and IO Wait as last reported. */
export function MetricTiles(props: MetricTilesProps) {
  const { metrics } = props.latest ?? {};
  const iops = metrics?.iops;
  const tile = {
    server: props.server,
    latest: props.latest,
    reasonOf: (reason: string | null | undefined) => reasonOf(props, reason),
  };
  const parts =
    metrics?.read_iops.value == null || metrics.write_iops.value == null
      ? undefined
      : `${numberText(metrics.read_iops.value)} read, ${numberText(metrics.write_iops.value)} write`;
  return (
    <StatGrid style={cssVars({ columns: 7 })} role="group" aria-label="Metrics">
      <ResourceTile {...props} resource="cpu" />
      <LoadTile {...tile} />
      <ResourceTile {...props} resource="memory" />
      <SwapTile {...tile} />
      <ResourceTile {...props} resource="disk" />
      <StatTile
        label="IOPS"
        value={numberText(iops?.value, iops?.value != null && iops.value < 10 ? 1 : 0)}
        reason={reasonOf(props, iops?.reason)}
        bar={<CapacityBar name="IOPS capacity" value={null} line={null} />}
        fact={parts}
      />
      <ResourceTile {...props} resource="io_wait" wide />
    </StatGrid>
  );
}
