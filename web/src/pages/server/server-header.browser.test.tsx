import { headroomOf } from '@plimsoll/contract/rules/headroom';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { ServerHeader } from './server-header.tsx';

const figure = (value: number | null) => ({ value, reason: null });
const latest = (cpu: number) =>
  ({
    metrics: { cpu_usage: figure(cpu), memory_usage: figure(20), disk_usage: figure(30), io_wait: figure(0) },
  }) as LatestMetricsItem;
const server = (given: Partial<ServerDetail>) => ({ ...sampleServer(), ...given }) as ServerDetail;
const { lines } = sampleServer();
const withCpu = (cpu: number) => headroomOf(lines, { cpu, memory: 20, disk: 30, io_wait: 0 });
const header = (given: Partial<ServerDetail>, values?: LatestMetricsItem) =>
  draw(<ServerHeader server={server(given)} latest={values} points={[]} nowMs={0} />);

describe('the header of a server', () => {
  it('names the server, its status and its facts', async () => {
    const screen = await header({ headroom: withCpu(35) }, latest(35));
    await expect.element(screen.getByRole('heading', { level: 1, name: 'media-ams-01' })).toBeVisible();
    await expect.element(screen.getByText('Active')).toBeVisible();
    await expect.element(screen.getByText('32 GB')).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Back to Servers' })).toHaveAttribute('href', '/servers');
  });

  it('says how far it is over its line', async () => {
    const screen = await header({ headroom: withCpu(91) }, latest(91));
    await expect.element(screen.getByText(/11 over the line/).first()).toBeVisible();
  });

  it('says when a silent server last reported, not how loaded it was', async () => {
    const screen = await header({ status: 'offline', headroom: withCpu(99) }, latest(99));
    await expect.element(screen.getByText('Offline')).toBeVisible();
    await expect.element(screen.getByText(/^Last report/)).toBeVisible();
    expect(screen.getByText(/^last report/i).elements()).toHaveLength(1);
    expect(screen.getByText(/over the line/).elements()).toEqual([]);
  });

  it('says since when nothing of a refused server is stored, not that it reported a minute ago', async () => {
    const now = new Date().toISOString();
    const lastStored = new Date(Date.now() - 2 * 3_600_000).toISOString();
    const refusal = { since: now, last_at: now, code: 'invalid_item', detail: 'ts: wrong', last_stored_at: lastStored };
    const given = { status: 'refused', last_seen_at: now, headroom: withCpu(99), refusal } as const;
    const screen = await header(given, latest(99));
    await expect.element(screen.getByText('Refused')).toBeVisible();
    await expect.element(screen.getByText('Last report 2 h ago')).toBeVisible();
    expect(screen.getByText(/reported|over the line/).elements()).toEqual([]);
    const never = await header({ ...given, refusal: { ...refusal, last_stored_at: null } });
    await expect.element(never.getByText('No report stored')).toBeVisible();
  });

  it('says that an installing server has not reported', async () => {
    const screen = await header({ status: 'installing', headroom: null, last_seen_at: null, uptime_seconds: null });
    await expect.element(screen.getByText('Installing')).toBeVisible();
    await expect.element(screen.getByText('no report yet')).toBeVisible();
  });

  it('says N/A for facts that are not known', async () => {
    const screen = await header({ cpu_cores: null, total_memory: null, cli_version: null });
    expect(screen.getByText('N/A').elements()).toHaveLength(3);
  });
});
