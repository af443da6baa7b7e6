import type { CapacitySizing } from '@plimsoll/contract/wire/capacity';
import { expect, it, onTestFinished } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { chosenZone } from '../../time/zone.ts';
import { UsageDays } from './usage-days.tsx';

const sized = (request: number | null, limit: number | null) => ({
  request,
  limit,
  p95: null,
  max: null,
  advice: null,
  limit_advice: null,
  histogram: [],
});
const ROW: CapacitySizing = {
  namespace: 'shop',
  kind: 'Deployment',
  name: 'web',
  container: 'app',
  pods: 2,
  days: 3,
  cpu_cores: sized(0.5, 20),
  memory_bytes: sized(null, 2 ** 30),
  cpu_verdict: 'fits',
  memory_verdict: 'fits',
  evidence: [],
  oom_kills: 0,
  frees: { cpu_cores: null, memory_bytes: null },
  autoscalers: [],
  reason: null,
  by_day: [
    { day: '2026-01-01', cpu_cores: { p95: 0.2, max: 0.4 }, memory_bytes: { p95: 2 ** 28, max: 2 ** 29 } },
    { day: '2026-01-02', cpu_cores: { p95: null, max: null }, memory_bytes: { p95: null, max: null } },
    { day: '2026-01-03', cpu_cores: { p95: 0.6, max: 1 }, memory_bytes: { p95: 2 ** 29, max: 2 ** 30 } },
  ],
};
const height = (element: Element | null | undefined) => Math.round(element?.getBoundingClientRect().height ?? -1);

it('has a bar for each known day, red where the p95 is over the request', async () => {
  const { screen } = await drawPage(<UsageDays row={ROW} resource="cpu_cores" />, {});
  const name = 'CPU a day, 1 Jan to 3 Jan: highest 1 core, request 0.50 cores, limit 20 cores';
  const image = screen.getByRole('img', { name });
  await expect.element(image).toBeVisible();
  const bars = [...image.element().querySelectorAll('span')];
  expect(bars.map(({ title }) => title)).toEqual([
    '1 Jan: p95 0.20 cores, maximum 0.40 cores',
    '3 Jan: p95 0.60 cores, maximum 1 core',
  ]);
  expect(bars.map((bar) => bar.hasAttribute('data-over'))).toEqual([false, true]);
  expect(bars.map(height)).toEqual([22, 55]);
  expect(height(bars[0]?.firstElementChild)).toBe(11);
  // The limit is twenty times the use: only the request has a line.
  expect([...image.element().querySelectorAll('b')].map((line) => line.hasAttribute('data-request'))).toEqual([true]);
});

it('draws the limit where it is near, and nothing without a day', async () => {
  const { screen } = await drawPage(<UsageDays row={ROW} resource="memory_bytes" />, {});
  const image = screen.getByRole('img', { name: /^Memory a day, .*request none set, limit 1\.?0? GB$/ });
  await expect.element(image).toBeVisible();
  expect(image.element().querySelectorAll('b')).toHaveLength(1);
  const none = await drawPage(<UsageDays row={{ ...ROW, by_day: [] }} resource="cpu_cores" />, {});
  expect(none.screen.container.querySelectorAll('[role="img"]')).toHaveLength(0);
});

it.each(['Pacific/Auckland', 'America/Los_Angeles'])('names the days of UTC to a reader in %s', async (zone) => {
  chosenZone.set(zone);
  onTestFinished(() => chosenZone.set(null));
  const { screen } = await drawPage(<UsageDays row={ROW} resource="cpu_cores" />, {});
  await expect.element(screen.getByRole('img', { name: /^CPU a day, 1 Jan to 3 Jan:/ })).toBeVisible();
});
