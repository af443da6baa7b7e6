import type { NetworkMetrics, NetworkPoint } from '@plimsoll/contract/wire/network';
import { expect, it } from 'vitest';
import { latestNetwork } from './network-now.ts';

const point = (inbound: number | null, total: number | null) =>
  ({ inbound_bytes_per_sec: inbound, total_connections: total }) as NetworkPoint;

it('takes the last bucket with figures, or the report that is given', () => {
  const points = [point(1, 10), point(2, null), point(null, null)];
  expect(latestNetwork(points, undefined)).toMatchObject({ inbound: 2, total: null });
  expect(latestNetwork(points, { inbound_bytes_per_sec: 7 } as NetworkMetrics).inbound).toBe(7);
  expect(latestNetwork([], undefined).inbound).toBeNull();
});
