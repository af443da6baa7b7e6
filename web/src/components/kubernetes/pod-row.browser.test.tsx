import type { Pod } from '@plimsoll/contract/wire/kubernetes';
import { describe, expect, it, vi } from 'vitest';
import { colourOf, draw, fillOf, rgb } from '../../testing/draw.tsx';
import { DARK } from '../../tokens.ts';
import { PodTable } from './pod-table.tsx';

const POD: Pod = {
  uid: 'u-1',
  cluster_id: 'c-1',
  pod_name: 'checkout-api-6b9f7c5d8d-x2wlq',
  namespace: 'shop',
  node_name: 'node-1',
  server_id: null,
  phase: 'Running',
  reason: null,
  ready: true,
  deleting: false,
  cpu_usage_cores: 0.25,
  memory_usage_mb: 256,
  usage_origin: { source: null, reason: null, age_seconds: null },
  cpu_share: { percent: 25, of: 'limit' },
  memory_share: { percent: 50, of: 'limit' },
  requests: { cpu_cores: null, memory_mb: null },
  limits: { cpu_cores: 1, memory_mb: 512 },
  restart_count: 0,
  restarts_24h: 0,
  oom_kills_24h: 0,
  last_restart: null,
  container_count: 1,
  pod_ip: null,
  host_ip: null,
  created_at: '2026-01-01T00:00:00.000Z',
  pod_age_seconds: 3600,
  owner_kind: 'Deployment',
  owner_name: 'checkout-api',
  qos_class: null,
  labels: {},
  containers: [],
  claims: [],
};
const onOpen = vi.fn<(pod: Pod) => void>();
const table = (given: Partial<Pod> = {}) =>
  draw(<PodTable label="Pods" pods={[{ ...POD, ...given }]} onOpen={onOpen} />);
const fillPart = (meter: Element) => meter.firstElementChild ?? meter;

describe('a row of the pod list', () => {
  it.each([
    [50, DARK.load.ok],
    [60, DARK.load.near],
    [80, DARK.load.over],
  ])('colours memory at %d %% of its limit', async (percent, colour) => {
    const screen = await table({ memory_share: { percent, of: 'limit' } });
    const meter = screen.getByRole('meter', { name: new RegExp(`^Memory of ${POD.pod_name} ${percent} %`) });
    expect(fillOf(fillPart(meter.element()))).toBe(rgb(colour));
  });

  it('has no meter without a limit or a request', async () => {
    const screen = await table({
      memory_share: { percent: null, of: null },
      limits: { cpu_cores: null, memory_mb: null },
    });
    await expect.element(screen.getByText('no limit')).toBeVisible();
    expect(screen.getByRole('meter').elements()).toEqual([]);
  });

  it('shows the worse reason beside its phase', async () => {
    const screen = await table({ phase: 'Running', reason: 'CrashLoopBackOff' });
    await expect.element(screen.getByText('Running')).toBeVisible();
    await expect.element(screen.getByText('CrashLoopBackOff')).toBeVisible();
  });

  it('says N/A with its reason for usage that is not known', async () => {
    const reason = 'metrics-server is not installed';
    const screen = await table({
      cpu_usage_cores: null,
      memory_usage_mb: null,
      memory_share: { percent: null, of: 'limit' },
      usage_origin: { source: null, reason, age_seconds: null },
    });
    expect(screen.getByTitle(reason).elements()).toHaveLength(2);
    await expect.element(screen.getByRole('img', { name: /not available$/ })).toBeInTheDocument();
  });

  it.each([
    [4, false],
    [5, true],
  ])('with %d restarts in a day is red: %s', async (restarts, isRed) => {
    const screen = await table({ restart_count: 12, restarts_24h: restarts });
    const colour = colourOf(screen.getByTitle(`${restarts} in the last 24 hours`).element());
    expect(colour === rgb(DARK.load.overText)).toBe(isRed);
  });

  it('opens its pod', async () => {
    onOpen.mockClear();
    const screen = await table();
    await screen.getByRole('button', { name: /^checkout-api/ }).click();
    expect(onOpen.mock.calls.map(([pod]) => pod.uid)).toEqual(['u-1']);
  });
});
