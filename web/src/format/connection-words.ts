import type { NetworkConnection, NetworkMetrics } from '@plimsoll/contract/wire/network';
import type { Band } from '@plimsoll/contract/rules/headroom';

/** Above the first amber, above the second red. */
export const TIME_WAIT_BANDS = [1000, 2000] as const;
export const CLOSE_WAIT_BANDS = [50, 100] as const;

export function countBand(count: number | null, [near, over]: readonly [number, number]): Band {
  if (count === null || count <= near) return 'ok';
  return count > over ? 'over' : 'near';
}

/** The six states of the last report, with the bands of the two that pile up. */
export function connectionCells(latest: NetworkMetrics): { name: string; value: number | null; band: Band }[] {
  return [
    { name: 'Established', value: latest.connections_established, band: 'ok' },
    { name: 'Listen', value: latest.connections_listen, band: 'ok' },
    {
      name: 'Time wait',
      value: latest.connections_time_wait,
      band: countBand(latest.connections_time_wait, TIME_WAIT_BANDS),
    },
    {
      name: 'Close wait',
      value: latest.connections_close_wait,
      band: countBand(latest.connections_close_wait, CLOSE_WAIT_BANDS),
    },
    { name: 'SYN sent', value: latest.connections_syn_sent, band: 'ok' },
    { name: 'SYN recv', value: latest.connections_syn_recv, band: 'ok' },
  ];
}

/** 80 or more High, 50 or more Medium, else Low. */
export function importanceName(score: number): 'High' | 'Medium' | 'Low' {
  if (score >= 80) return 'High';
  return score >= 50 ? 'Medium' : 'Low';
}

/** Names a connection among those of one server, by all the API tells them apart by. */
export const connectionKey = (connection: NetworkConnection): string => {
  const { protocol, remote_ip, remote_port, local_port, state, pid } = connection;
  return `${protocol}/${remote_ip}/${remote_port}/${local_port}/${state}/${pid}`;
};
