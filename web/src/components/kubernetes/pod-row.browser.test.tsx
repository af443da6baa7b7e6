import type { Pod } from '@plimsoll/contract/wire/kubernetes';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { colourOf, draw, fillOf, rgb } from '../../testing/draw.tsx';
import { SAMPLE_POD as POD } from '../../testing/sample-pod.ts';
import { DARK } from '../../tokens.ts';
import { PodTable } from './pod-table.tsx';

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

  it.each([
    ['Terminating', { deleting: true }],
    ['Not ready', { ready: false }],
  ])('says %s beside Running', async (words, parts) => {
    const screen = await table(parts);
    await expect.element(screen.getByText(words)).toBeVisible();
  });

  it('has headings for the groups of a list sorted by state, and none while all is well', async () => {
    const row = (name: string, parts: Partial<Pod>): Pod => ({ ...POD, uid: name, pod_name: name, ...parts });
    const pods = [row('a', { reason: 'CrashLoopBackOff' }), row('b', { phase: 'Failed' }), row('c', {})];
    const sorting = { by: { sort: 'state', order: 'asc' }, onSort: vi.fn<() => void>() } as const;
    const screen = await draw(<PodTable label="Pods" pods={pods} sorting={sorting} onOpen={onOpen} />);
    const words = screen.getByRole('table').element().textContent;
    expect(words.match(/Broken|Running and ready/g)).toEqual(['Broken', 'Running and ready']);
    await screen.unmount();
    const calm = await draw(<PodTable label="Pods" pods={pods.slice(2)} sorting={sorting} onOpen={onOpen} />);
    expect(calm.getByText('Running and ready').elements()).toEqual([]);
  });

  it('keeps every column inside the panel at the width of a 1,440 px screen', async () => {
    await page.viewport(1440, 900);
    onTestFinished(() => page.viewport(1280, 800));
    const long = { owner_name: 'catalog-search-indexer-with-a-long-name', reason: 'CreateContainerConfigError' };
    const screen = await draw(
      <div style={{ width: 1130 }}>
        <PodTable label="Pods" pods={[{ ...POD, ...long }]} onOpen={onOpen} />
      </div>,
    );
    const right = screen.getByRole('table').element().parentElement?.getBoundingClientRect().right ?? 0;
    for (const cell of screen.getByRole('cell').elements())
      expect(cell.getBoundingClientRect().right).toBeLessThanOrEqual(right);
    await expect.element(screen.getByRole('columnheader', { name: 'Age' })).toBeVisible();
  });

  it('leaves no room for hidden columns beside an open pod, headings or not', async () => {
    const pods = [{ ...POD, reason: 'CrashLoopBackOff' }];
    const screen = await draw(
      <div style={{ width: 980 }}>
        <PodTable label="Pods" pods={pods} grouped openKey="c/n/p" onOpen={onOpen} />
      </div>,
    );
    const right = (element: Element) => Math.round(element.getBoundingClientRect().right);
    const restarts = screen.getByRole('columnheader', { name: 'Restarts' }).element();
    expect(right(restarts)).toBe(right(screen.getByRole('table').element()));
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
