import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { nextFrame } from '../../testing/next-frame.ts';
import { useCardWindow } from './use-card-window.ts';

/** Numbers of the drawn rows. */
const drawn = (): number[] =>
  [...document.querySelectorAll('[data-row]')].map((row) => Number(row.getAttribute('data-row')));

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

const ROWS = 5000;
const ROW_PX = 32;

function Lines() {
  const [body, { first, end, above, below }] = useCardWindow<HTMLTableSectionElement>(ROWS, { px: 20, gapPx: 0 });
  return (
    <table aria-label="lines" style={{ borderCollapse: 'collapse' }}>
      <tbody ref={body}>
        {above > 0 && <tr aria-hidden style={{ height: above }} />}
        {Array.from({ length: end - first }, (_, row) => (
          <tr key={first + row} data-row={first + row}>
            <td style={{ height: ROW_PX, padding: 0 }}>{first + row}</td>
          </tr>
        ))}
        {below > 0 && <tr aria-hidden style={{ height: below }} />}
      </tbody>
    </table>
  );
}

it('a long table is as high as all its rows and draws those that the window shows', async () => {
  const screen = await draw(<Lines />);
  const table = screen.getByRole('table', { name: 'lines' }).element();
  await expect.poll(() => table.getBoundingClientRect().height).toBe(ROWS * ROW_PX);
  for (const row of [0, 700, 4000]) {
    window.scrollTo(0, row * ROW_PX);
    await nextFrame();
    await expect.poll(drawn).toContain(row);
    expect(drawn().length * ROW_PX).toBeLessThan(window.innerHeight + 800);
    expect(table.getBoundingClientRect().height).toBe(ROWS * ROW_PX);
  }
});
