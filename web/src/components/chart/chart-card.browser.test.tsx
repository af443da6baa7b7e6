import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { ChartCard } from './chart-card.tsx';
import type { ChartSeries } from './series.tsx';

/** 2026-01-31T00:00:00Z */
const FROM = 1_769_817_600;
const TO = FROM + 6 * 3600;
const series = (id: string, value: number, colour: 1 | 2): ChartSeries => ({
  id,
  label: id,
  colour,
  points: Array.from({ length: 60 }, (_, index) => ({ at: FROM + index * 300, avg: value, min: null, max: null })),
});
const GAP = { from: FROM + 5 * 3600, to: TO, words: 'no reports', label: 'no reports 05:00–06:00, still silent' };
const card = (extra: Partial<Parameters<typeof ChartCard>[0]> = {}) =>
  draw(<ChartCard title="CPU" from={FROM} to={TO} series={[series('web-1', 78, 1)]} yMax={100} line={80} {...extra} />);
const found = (container: Element, selector: string): Element => {
  const element = container.querySelector(selector);
  if (element === null) throw new Error(`no ${selector}`);
  return element;
};

it('writes the name of a gap over the lines that run below it', async () => {
  const { container } = await card({ gaps: [GAP] });
  await expect.poll(() => container.querySelector('.tag-text')?.textContent).toBe(GAP.label);
  const name = found(container, '.tag');
  const curve = found(container, '.curve');
  expect(curve.compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it('writes the number of the line into the plot where names of series stand beside it', async () => {
  const { container } = await card({
    series: [series('web-1', 78, 1), series('web-2', 60, 2)],
    endLabels: true,
  });
  await expect.poll(() => container.querySelectorAll('.name').length).toBe(2);
  const line = found(container, '.load-name').getBoundingClientRect();
  for (const name of container.querySelectorAll('.name'))
    expect(name.getBoundingClientRect().left).toBeGreaterThan(line.right);
});

it.each([
  ['as high as it is told', false, 100, 100],
  ['as high as the column it stands in', true, 400, 480],
])('is %s', async (_, fills, least, most) => {
  const { container } = await draw(
    <div style={{ height: 480, display: 'grid' }}>
      <ChartCard
        title="CPU"
        from={FROM}
        to={TO}
        series={[series('web-1', 78, 1)]}
        yMax={100}
        height={100}
        fills={fills}
      />
    </div>,
  );
  const heightOf = () =>
    Math.round(container.querySelector('.MuiChartsSvgLayer-root')?.getBoundingClientRect().height ?? 0);
  await expect.poll(heightOf).toBeGreaterThanOrEqual(least);
  expect(heightOf()).toBeLessThanOrEqual(most);
  await expect
    .poll(() => Number(container.querySelector('.MuiChartsSvgLayer-root')?.getAttribute('viewBox')?.split(' ')[3]))
    .toBe(heightOf());
});

it('folds seven marks of the newest bucket into one with their count, inside the plot', async () => {
  const marks = Array.from({ length: 7 }, (_, index) => ({
    id: `mark-${index}`,
    from: TO - 210 + index * 35,
    to: null,
    tone: 'event' as const,
    words: `event ${index}`,
  }));
  const { container } = await card({ marks, onMark: () => undefined });
  await expect.poll(() => container.querySelectorAll('[role="button"]').length).toBe(1);
  expect(container.querySelector('.mark-count')?.textContent).toBe('7');
  expect(found(container, '[role="button"]').getAttribute('aria-label')).toMatch(/^7 events, 31 Jan 05:5\d–06:00$/);
  const plot = found(container, '.MuiChartsSvgLayer-root').getBoundingClientRect();
  expect(found(container, 'path.event').getBoundingClientRect().right).toBeLessThanOrEqual(plot.right);
});
