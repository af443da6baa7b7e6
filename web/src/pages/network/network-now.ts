import type { NetworkMetrics, NetworkPoint } from '@plimsoll/contract/wire/network';

/** Rates in bytes per second, counts of sockets; null is not known. */
export interface NetworkNow {
  inbound: number | null;
  outbound: number | null;
  established: number | null;
  timeWait: number | null;
  closeWait: number | null;
  total: number | null;
}

/** The newest report of one server; over several, the last bucket that has figures. */
export function latestNetwork(points: readonly NetworkPoint[], report: NetworkMetrics | undefined): NetworkNow {
  const last =
    report ?? points.findLast((point) => point.inbound_bytes_per_sec !== null || point.total_connections !== null);
  return {
    inbound: last?.inbound_bytes_per_sec ?? null,
    outbound: last?.outbound_bytes_per_sec ?? null,
    established: last?.connections_established ?? null,
    timeWait: last?.connections_time_wait ?? null,
    closeWait: last?.connections_close_wait ?? null,
    total: last?.total_connections ?? null,
  };
}
