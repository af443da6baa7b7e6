import { afterEach, beforeEach, expect, it } from 'vitest';
import { cursor } from '../../state/chart-cursor.ts';
import { draw, rgb } from '../../testing/draw.tsx';
import { chosenZone } from '../../time/zone.ts';
import { ChartCard } from './chart-card.tsx';

beforeEach(() => chosenZone.set('UTC'));
afterEach(() => {
  chosenZone.set(null);
  cursor.set(null);
});

const inbound = (lacking: string | null) => (
  <ChartCard
    title="Bandwidth"
    from={0}
    to={600}
    yMax={100}
    series={[
      {
        id: 'in',
        label: 'Inbound',
        colour: 1,
        points: Array.from({ length: 10 }, (_, index) => ({
          at: index * 60,
          avg: 50,
          ...(lacking !== null && index >= 4 && index < 6 ? { lacking } : {}),
        })),
      },
    ]}
  />
);

it('marks the buckets that lack servers, and says how many reported at the cursor and to a screen reader', async () => {
  const screen = await draw(inbound('31 of 36 reported'));
  await expect.element(screen.getByText('not all servers reported')).toBeVisible();
  await expect.element(screen.getByLabelText(/31 of 36 reported 00:03–00:05/)).toBeInTheDocument();
  const marks = screen.container.querySelectorAll('rect.lacking');
  expect(marks).toHaveLength(1);
  expect(getComputedStyle(marks[0] as Element).fill).toBe(rgb('#f0b429'));
  cursor.set(300);
  await expect.element(screen.getByText('00:05 · 31 of 36 reported')).toBeInTheDocument();
  cursor.set(60);
  await expect.poll(() => screen.container.querySelector('.cursor-text')?.textContent).toBe('00:01');
});

it('marks nothing while all servers report', async () => {
  const screen = await draw(inbound(null));
  await expect.element(screen.getByLabelText(/^Bandwidth: latest/)).toBeInTheDocument();
  expect(screen.getByText('not all servers reported').elements()).toEqual([]);
  expect(screen.container.querySelector('.lacking')).toBeNull();
});
