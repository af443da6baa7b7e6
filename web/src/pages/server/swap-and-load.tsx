import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { StatTile } from '../../components/stat-tile.tsx';
import { gigabytesText, numberText, plural } from '../../format/figures.ts';

interface TileProps {
  server: ServerDetail;
  latest: LatestMetricsItem | undefined;
  /** Turns the reason of the answer into the tile's. */
  reasonOf: (reason: string | null | undefined) => string;
}

/** "load 3.2 on 4 cores": tasks that run or wait, against the cores that run them. */
export const loadOnCores = (load: number, cores: number | null): string =>
  `load ${load.toFixed(1)} on ${cores === null ? 'an unknown number of cores' : plural(cores, 'core')}`;

/** Swap in use and its total; "No swap" on a host without swap. */
export function SwapTile({ server, latest, reasonOf }: TileProps) {
  const { value = null, reason } = latest?.metrics.swap_usage ?? {};
  const total = server.total_swap ?? null;
  if (total === 0 && server.last_seen_at !== null)
    return <StatTile label="Swap" value="No swap" bar={<CapacityBar name="Swap" value={null} line={null} />} />;
  return (
    <StatTile
      label="Swap"
      value={numberText(value, 1)}
      unit="%"
      reason={reasonOf(reason)}
      bar={<CapacityBar name="Swap" value={value} line={null} stale={server.status !== 'active'} />}
      fact={total === null ? undefined : `of ${gigabytesText(total)}`}
    />
  );
}

/** Load of the last minute against the number of cores. */
export function LoadTile({ server, latest, reasonOf }: TileProps) {
  const { value = null, reason } = latest?.metrics.load_1m ?? {};
  const { cpu_cores: cores } = server;
  return (
    <StatTile
      label="Load"
      value={numberText(value, 1)}
      reason={reasonOf(reason)}
      bar={<CapacityBar name="Load" value={null} line={null} />}
      fact={value === null ? undefined : loadOnCores(value, cores)}
    />
  );
}
