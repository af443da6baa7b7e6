import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { chosenZone } from '../../time/zone.ts';
import { TimelineCard } from './timeline-card.tsx';

/** 2026-01-31T00:00:00Z */
const FROM = 1_769_817_600;
const SPIKE = FROM + 3 * 3600 + 600;
const band = (avg: number, max: number) => ({ avg, min: 0, max });
const answer = (aggregated: boolean, length = 300, peaks?: TimeseriesAnswer['peaks']): TimeseriesAnswer => ({
  ...(peaks && { peaks }),
  timeseries: Array.from({ length: 72 }, (_, index) => {
    const timestamp = FROM + index * 300;
    const cpu = timestamp === SPIKE ? band(20.2, 98.4) : band(20, 35);
    return {
      timestamp,
      time: new Date(timestamp * 1000).toISOString(),
      cpu: cpu.avg,
      memory: 40,
      disk: 50,
      bands: { cpu, memory: band(40, 60), disk: band(50, 70), io_wait: band(0, 1), iops: band(9, 10) },
      count: 500,
      ...(aggregated && { top: { cpu: timestamp === SPIKE ? 1 : 0, memory: 0, disk: null } }),
    };
  }),
  aggregated,
  ...(aggregated && {
    top_servers: [
      { server_id: 'a', name: 'web-fra-01' },
      { server_id: 'b', name: 'batch-sin-01' },
    ],
  }),
  bucket_seconds: length,
  from: FROM,
  to: FROM + 6 * 3600,
  gaps: [],
});
const card = (aggregated: boolean, length?: number, peaks?: TimeseriesAnswer['peaks']) =>
  draw(
    <TimelineCard
      title="Metrics timeline"
      answer={answer(aggregated, length, peaks)}
      range={{ kind: 'absolute', from: FROM, to: FROM + 6 * 3600 }}
      onRange={() => undefined}
      line={80}
      loading={false}
    />,
  );

beforeEach(() => chosenZone.set('UTC'));
afterEach(() => chosenZone.set(null));

it('shows the spike of one server among many beside the mean, and leads to it at that moment', async () => {
  const screen = await card(true);
  const link = screen.getByRole('link', { name: 'batch-sin-01' });
  await expect
    .element(link)
    .toHaveAttribute('href', `/servers/b?from=${FROM}&to=${FROM + 21_600}&at=2026-01-31T03:15Z`);
  await expect
    .element(screen.getByRole('group', { name: 'Highest of any server' }))
    .toMatchTextContent(/CPU 98\.4\s?%/);
  // The server with the fullest disk was deleted since.
  await expect.element(screen.getByText('a server that is not known')).toBeVisible();
  // The mean moves by 0.2 points; the dashed line of the highest rises far above it.
  const heightOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().height ?? 0;
  await expect.poll(() => heightOf('path.curve.s1.ghost:not(.lone)')).toBeGreaterThan(50);
  expect(heightOf('path.curve.s1:not(.ghost):not(.lone)')).toBeLessThan(5);
});

it('leads into the range of a wide bucket, where the peak gets its minute', async () => {
  const screen = await card(true, 3600);
  await expect
    .element(screen.getByRole('link', { name: 'batch-sin-01' }))
    .toHaveAttribute('href', `/servers/b?from=${SPIKE - 1800}&to=${SPIKE + 5400}`);
});

it('names the minute of a spike in a wide bucket, and leads to what ran then', async () => {
  const peaks = {
    cpu: { timestamp: SPIKE + 137.2, value: 98.4, server_id: 'b', step_seconds: 0 },
    memory: null,
    disk: null,
  };
  const screen = await card(true, 3600, peaks);
  const group = screen.getByRole('group', { name: 'Highest of any server' });
  await expect.element(group).toMatchTextContent(/batch-sin-01\s*03:12/);
  const href = screen.getByRole('link', { name: 'batch-sin-01' }).element().getAttribute('href');
  expect(new URLSearchParams(href?.split('?')[1]).get('at')).toBe('2026-01-31T03:12:18Z');
});

it('shows no highest of any server on the chart of one', async () => {
  const screen = await card(false);
  await expect.poll(() => document.querySelectorAll('path.curve.s1:not(.lone)').length).toBe(1);
  expect(screen.getByRole('group', { name: 'Highest of any server' }).elements()).toEqual([]);
});
