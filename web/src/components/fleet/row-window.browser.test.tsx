import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { nextFrame } from '../../testing/next-frame.ts';
import { useCardWindow } from './use-card-window.ts';
import { useRowWindow } from './use-row-window.ts';

const ROWS = 5000;
const ROW_PX = 40;

/** Numbers of the drawn rows. */
const drawn = (): number[] =>
  [...document.querySelectorAll('[data-row]')].map((row) => Number(row.getAttribute('data-row')));

function Scroller() {
  const [scroller, { first, end, above, below }] = useRowWindow<HTMLDivElement>(ROWS, ROW_PX);
  return (
    <div ref={scroller} aria-label="scroller" role="region" style={{ height: 400, overflowY: 'auto' }}>
      <div style={{ height: above }} />
      {Array.from({ length: end - first }, (_, row) => (
        <div key={first + row} data-row={first + row} style={{ height: ROW_PX }} />
      ))}
      <div style={{ height: below }} />
    </div>
  );
}

it('a long table is as high as all its rows, and draws those in sight wherever it is scrolled', async () => {
  const screen = await draw(<Scroller />);
  const scroller = screen.getByRole('region', { name: 'scroller' }).element();
  for (const top of [0, 39, 12_345, ROWS * ROW_PX - 400]) {
    scroller.scrollTop = top;
    const inSight = Array.from({ length: 10 }, (_, row) => Math.floor(top / ROW_PX) + row);
    await expect.poll(drawn).toEqual(expect.arrayContaining(inSight));
    expect(scroller.scrollHeight).toBe(ROWS * ROW_PX);
    expect(drawn().length).toBeLessThan(40);
  }
});

const COLUMNS = 3;
const GAP_PX = 10;
const CARD_ROW_PX = 100 + GAP_PX;

function Grid({ count }: { count: number }) {
  const [grid, { first, end, above, below }] = useCardWindow<HTMLDivElement>(count, { px: 190, gapPx: GAP_PX });
  const room = (px: number) =>
    px > 0 && <div aria-hidden style={{ gridColumn: '1 / -1', height: Math.max(0, px - GAP_PX) }} />;
  return (
    <>
      <div style={{ height: 700 }} />
      <div
        ref={grid}
        aria-label="grid"
        role="region"
        style={{ display: 'grid', gridTemplateColumns: `repeat(${COLUMNS}, 1fr)`, gap: GAP_PX }}
      >
        {room(above)}
        {Array.from({ length: end - first }, (_, card) => (
          <div key={first + card} data-row={first + card} style={{ height: 100 }} />
        ))}
        {room(below)}
      </div>
    </>
  );
}

it('a long grid draws whole rows, measures its cards, and begins with the first below the window', async () => {
  const count = 1000;
  const screen = await draw(<Grid count={count} />);
  const grid = screen.getByRole('region', { name: 'grid' }).element();
  const heightPx = Math.ceil(count / COLUMNS) * CARD_ROW_PX - GAP_PX;
  await expect.poll(() => drawn()[0]).toBe(0);
  await expect.poll(() => grid.getBoundingClientRect().height).toBe(heightPx);
  for (const row of [50, 200, 333]) {
    window.scrollTo(0, 700 + row * CARD_ROW_PX);
    await nextFrame();
    await expect.poll(drawn).toContain(Math.min(count - 1, row * COLUMNS));
    expect(drawn()[0] ?? -1).toBe(Math.floor((drawn()[0] ?? -1) / COLUMNS) * COLUMNS);
    expect(grid.getBoundingClientRect().height).toBe(heightPx);
    expect(drawn().length).toBeLessThan(60);
  }
});
