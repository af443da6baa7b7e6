import { describe, expect, it, vi } from 'vitest';
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

  it('shows one row for each process and marks the column it is ranked by', async () => {
    const process = {
      server_id: 'a',
      hostname: 'web-1',
      timestamp: 1_790_000_000,
      name: 'nginx',
      command: 'nginx: worker process',
      user: 'www-data',
      status: 'R',
      cpu_usage: 2,
      memory_usage: 1,
      memory_kb: 2048,
      threads: 1,
      start_time: 1_789_990_000,
    };
    const screen = await panel({ rank: 'memory', processes: [1, 2, 3].map((pid) => ({ ...process, pid })) });
    expect(screen.getByRole('rowheader', { name: 'nginx' }).elements()).toHaveLength(3);
    await expect
      .element(screen.getByRole('columnheader', { name: 'Memory' }))
      .toHaveAttribute('aria-sort', 'descending');
    await expect.element(screen.getByRole('columnheader', { name: 'CPU' })).not.toHaveAttribute('aria-sort');
  });
});
