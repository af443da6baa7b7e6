import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { draw } from '../../testing/draw.tsx';
import { ProcessesPanel } from './processes-panel.tsx';

const asked = { isPending: false, error: null, errorUpdatedAt: 0, refetch: () => undefined };
const panel = (given: Partial<Parameters<typeof ProcessesPanel>[0]>) =>
  draw(<ProcessesPanel asked={asked} processes={[]} rank="cpu" filtered={false} {...given} />);

describe('the process list', () => {
  it('has no table and no sentence while it loads', async () => {
    const screen = await panel({ asked: { ...asked, isPending: true } });
    expect(screen.getByRole('table').elements()).toEqual([]);
    expect(screen.getByText(/No process/).elements()).toEqual([]);
    expect(screen.container.getBoundingClientRect().height).toBeGreaterThan(300);
  });

  it('says why it is empty', async () => {
    const screen = await panel({});
    await expect.element(screen.getByText('No process data available')).toBeVisible();
    await expect.element(screen.getByText('Data will appear when your servers start sending metrics.')).toBeVisible();
  });

  it('says that the filter matches nothing', async () => {
    const screen = await panel({ filtered: true });
    await expect.element(screen.getByText('No processes match your filter')).toBeVisible();
    expect(screen.getByText('No process data available').elements()).toEqual([]);
  });

  it('shows an error with a button that retries', async () => {
    const refetch = vi.fn<() => void>();
    const error = { message: 'Request failed', status: 500 };
    const screen = await panel({ asked: { ...asked, error, refetch } });
    await expect.element(screen.getByRole('alert').getByText('Request failed')).toBeVisible();
    await screen.getByRole('button', { name: 'Retry' }).click();
    expect(refetch).toHaveBeenCalledOnce();
  });

  const process = {
    server_id: 'a',
    hostname: 'web-1',
    timestamp: 1_790_000_000,
    name: 'nginx',
    command: 'nginx: worker process',
    user: 'www-data',
    status: 'R',
    cpu_usage: 2,
    server_cpu_cores: 4,
    memory_usage: 1,
    memory_kb: 2048,
    threads: 1,
    start_time: 1_789_990_000,
  };
  it.each([1130, 970])('fits long names into %i px', async (width) => {
    const long = {
      hostname: 'ip-10-0-4-12.eu-central-1.compute.internal',
      user: 'plimsoll-database',
      name: 'x'.repeat(60),
    };
    const big = { pid: 4_194_304, cpu_usage: 6400, server_cpu_cores: 64, memory_kb: 900_000_000, threads: 30_000 };
    const list = [{ ...process, ...long, ...big, command: '/usr/bin/'.repeat(30) }];
    const screen = await draw(
      <div style={{ width }}>
        <ProcessesPanel asked={asked} processes={list} rank="cpu" filtered={false} />
      </div>,
    );
    await expect.element(screen.getByRole('rowheader')).toBeVisible();
    expect(screen.getByRole('table').element().getBoundingClientRect().width).toBeLessThanOrEqual(width);
  });

  it('shows one row for each process and marks the column it is ranked by', async () => {
    const screen = await panel({ rank: 'memory', processes: [1, 2, 3].map((pid) => ({ ...process, pid })) });
    expect(screen.getByRole('rowheader', { name: 'nginx' }).elements()).toHaveLength(3);
    await expect
      .element(screen.getByRole('columnheader', { name: 'Memory' }))
      .toHaveAttribute('aria-sort', 'descending');
    await expect.element(screen.getByRole('columnheader', { name: 'CPU' })).not.toHaveAttribute('aria-sort');
  });

  it('keeps server, pid and command in sight on a phone', async () => {
    await page.viewport(390, 700);
    onTestFinished(() => page.viewport(1280, 800));
    const screen = await panel({ processes: [{ ...process, pid: 4217 }] });
    await expect.element(screen.getByText('web-1 · 4217')).toBeVisible();
    await expect.element(screen.getByRole('rowheader').getByText('nginx: worker process')).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});
