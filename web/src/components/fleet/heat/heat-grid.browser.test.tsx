import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import { drawAt, fillOf, rgb } from '../../../testing/draw.tsx';
import { DARK } from '../../../tokens.ts';
import { LINE_SHARE } from '../fleet-bars.ts';
import { HeatGrid } from './heat-grid.tsx';

const entry = (hostname: string, value: number | null, given: Partial<FleetEntry> = {}): FleetEntry => ({
  server_id: hostname,
  hostname,
  status: 'active',
  headroom: value === null ? null : { resource: 'cpu', value, line: 80, points: 80 - value, subject: null },
  region: 'eu-north-1',
  tags: {},
  ...given,
});
/** Room for ten cells a row. */
const WIDTH = 316;

async function grid(fleet: readonly FleetEntry[], folds = false) {
  const address = window.location.pathname + window.location.search;
  onTestFinished(() => {
    window.history.replaceState(null, '', address);
    localStorage.removeItem('plimsoll.fleet-grouping');
  });
  return drawAt(
    <div style={{ width: WIDTH }}>
      <HeatGrid
        fleet={fleet}
        to={(id) => `/servers/${id}`}
        folds={folds}
        renderDetail={(id) => <em>figures of {id}</em>}
      />
    </div>,
    '?scope=region:eu',
  );
}
const calm = (count: number) => Array.from({ length: count }, (_, index) => entry(`s${index}`, 60 - index));
const boxOf = (element: Element | null | undefined) => {
  if (element == null) throw new Error('nothing is drawn');
  return element.getBoundingClientRect();
};
const focused = () => document.activeElement?.getAttribute('data-id');

describe('the heat grid', () => {
  it('draws a cell of 28 × 38 px for each server, filled in the colour of its band up to its value', async () => {
    const screen = await grid([
      entry('over', 96),
      entry('near', 70),
      entry('clear', 20),
      entry('new', null, { status: 'installing' }),
    ]);
    const cells = screen.getByRole('link').elements();
    expect(cells.map((cell) => cell.getAttribute('aria-label'))).toEqual([
      'over: CPU · 16 over',
      'near: CPU · 10 below',
      'clear: CPU · 60 below',
      'new: no report yet',
    ]);
    const [over] = cells;
    expect([boxOf(over).width, boxOf(over).height]).toEqual([28, 38]);
    const fills = cells.map((cell) => cell.querySelector('i'));
    expect(fills.slice(0, 3).map((fill) => fill && fillOf(fill))).toEqual([
      rgb(DARK.load.over),
      rgb(DARK.load.near),
      rgb(DARK.load.ok),
    ]);
    expect(boxOf(fills[0]).height).toBeCloseTo(((38 * 96) / 80) * LINE_SHARE, 0);
    expect(cells.map((cell) => cell.querySelector('svg') !== null)).toEqual([true, true, false, false]);
    expect(getComputedStyle(cells[3] as Element).outlineStyle).toBe('dashed');
  });

  it('draws one line through a row, without a break between its cells', async () => {
    const screen = await grid(calm(3));
    const pieces = screen
      .getByRole('listitem')
      .elements()
      .map((cell) => {
        const { left, right, bottom } = getComputedStyle(cell, '::after');
        const box = cell.getBoundingClientRect();
        return [box.left + Number.parseFloat(left), box.right - Number.parseFloat(right), bottom] as const;
      });
    for (const [index, [left, , bottom]] of pieces.entries()) {
      const before = pieces[index - 1];
      if (before === undefined) continue;
      expect(left).toBeLessThanOrEqual(before[1]);
      expect(bottom).toBe(before[2]);
    }
  });

  it('is one stop of the Tab key; arrows walk cells and rows', async () => {
    await grid(calm(25));
    await userEvent.tab();
    expect(focused()).toBe('s0');
    await userEvent.keyboard('{ArrowRight}');
    expect(focused()).toBe('s1');
    await userEvent.keyboard('{ArrowDown}');
    expect(focused()).toBe('s11');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(focused()).toBe('s21');
    await userEvent.keyboard('{ArrowUp}{ArrowLeft}');
    expect(focused()).toBe('s10');
    await userEvent.keyboard('{End}');
    expect(focused()).toBe('s24');
    await userEvent.keyboard('{Home}');
    expect(focused()).toBe('s0');
  });

  it('shows the figures of the cell under the pointer until Escape', async () => {
    const screen = await grid(calm(3));
    const tip = () => screen.container.querySelector('div[aria-hidden]')?.textContent ?? null;
    await userEvent.hover(screen.getByRole('link', { name: /^s1/ }));
    expect(tip()).toBe('s1: CPU · 21 belowfigures of s1');
    await userEvent.tab();
    expect(tip()).toBe('s0: CPU · 20 belowfigures of s0');
    await userEvent.keyboard('{Escape}');
    expect(tip()).toBeNull();
  });

  it('opens a server and takes the scope along', async () => {
    const screen = await grid(calm(3));
    await userEvent.click(screen.getByRole('link', { name: /^s1/ }));
    expect(window.location.pathname + window.location.search).toBe('/servers/s1?scope=region%3Aeu');
  });

  it('groups by region or by a tag, as chosen', async () => {
    const screen = await grid([
      entry('a', 50, { region: 'us-east-1', tags: { role: 'web' } }),
      entry('b', 90, { tags: { role: 'web' } }),
      entry('c', 70, { tags: { role: 'db' } }),
    ]);
    const heads = () =>
      screen
        .getByRole('heading', { level: 3 })
        .elements()
        .map((head) => head.textContent.trim());
    expect(heads()[0]).toMatch(/^eu-north-12 servers\s*1 over\s*1 near$/);
    await userEvent.click(screen.getByRole('button', { name: 'role' }));
    await expect.poll(() => heads()[0]).toMatch(/^web2 servers/);
  });

  it('folds a large group until someone asks for all', async () => {
    const screen = await grid(calm(100), true);
    const links = () => screen.getByRole('link').elements().length;
    await expect.poll(links).toBe(79);
    const rest = screen.getByRole('button', { name: 'Show 21 more servers' });
    await expect.element(rest).toMatchTextContent(/\+21/);
    await userEvent.click(rest);
    await expect.poll(links).toBe(100);
  });
});
