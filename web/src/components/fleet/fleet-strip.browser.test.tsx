import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { draw, fillOf, rgb } from '../../testing/draw.tsx';
import { DARK } from '../../tokens.ts';
import { FleetStrip } from './fleet-strip.tsx';

const entry = (hostname: string, value: number | null, status: FleetEntry['status'] = 'active'): FleetEntry => ({
  server_id: hostname,
  hostname,
  status,
  headroom: value === null ? null : { resource: 'cpu', value, line: 80, points: 80 - value, subject: null },
  region: null,
  tags: {},
});
const strip = (fleet: readonly FleetEntry[]) => draw(<FleetStrip fleet={fleet} to={(id) => `/servers/${id}`} />);

/** The drawn column of a bar: the innermost element of its picture. */
function columnOf(link: Element): Element {
  const column = link.querySelector('i > b');
  if (column === null) throw new Error('the bar has no column');
  return column;
}

describe('the fleet strip', () => {
  it('draws one link for each installed server, most loaded first', async () => {
    const screen = await strip([
      entry('calm', 20),
      entry('worst', 91),
      entry('gone', 50, 'uninstalled'),
      entry('near', 70),
    ]);
    const list = screen.getByRole('list', { name: 'Nearest resource of each server' });
    await expect.element(list).toBeVisible();
    const links = list.getByRole('link').elements();
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/servers/worst',
      '/servers/near',
      '/servers/calm',
    ]);
    expect(links.map((link) => fillOf(columnOf(link)))).toEqual([
      rgb(DARK.load.over),
      rgb(DARK.load.near),
      rgb(DARK.load.ok),
    ]);
  });

  it('raises a column above another with more load', async () => {
    const screen = await strip([entry('low', 20), entry('high', 60)]);
    const [high, low] = screen
      .getByRole('link')
      .elements()
      .map((link) => columnOf(link).getBoundingClientRect().height);
    expect(high).toBeCloseTo((low ?? 0) * 3, 0);
  });

  it('draws silent and new servers as outlines, never as load', async () => {
    const screen = await strip([entry('silent', 95, 'offline'), entry('new', null, 'installing')]);
    const links = screen.getByRole('link').elements();
    expect(links.map((link) => fillOf(columnOf(link)))).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
    await expect.element(screen.getByRole('link', { name: /^silent: .*last known/ })).toBeInTheDocument();
    await expect.element(screen.getByRole('link', { name: 'new: no report yet' })).toBeInTheDocument();
  });

  it('is one stop of the Tab key; arrows walk its bars', async () => {
    const screen = await strip([entry('first', 90), entry('second', 60), entry('third', 30)]);
    const links = screen.getByRole('link').elements();
    await userEvent.tab();
    expect(document.activeElement).toBe(links[0]);
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(links[1]);
    await userEvent.keyboard('{End}');
    expect(document.activeElement).toBe(links[2]);
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(links[2]);
    await userEvent.keyboard('{Home}');
    expect(document.activeElement).toBe(links[0]);
  });

  it('shows what a bar is as soon as the pointer or the keyboard is on it', async () => {
    const screen = await strip([entry('first', 90), entry('second', 60)]);
    const tip = (words: string) => screen.container.querySelector('[aria-hidden]')?.textContent === words;
    await userEvent.hover(screen.getByRole('link', { name: /^second/ }));
    expect(tip('second: CPU · 20 below')).toBe(true);
    await userEvent.tab();
    expect(tip('first: CPU · 10 over')).toBe(true);
  });

  it('gives the room of the labels to the plot when there are too many bars for labels', async () => {
    const heightOf = async (count: number) => {
      const screen = await strip(Array.from({ length: count }, (_, index) => entry(`s${index}`, 60)));
      return screen.container.querySelector('ol')?.getBoundingClientRect().height ?? 0;
    };
    expect(await heightOf(25)).toBeGreaterThanOrEqual(await heightOf(24));
  });

  it('draws no bar for an empty fleet', async () => {
    const screen = await strip([]);
    expect(screen.getByRole('link').elements()).toEqual([]);
  });
});
