import type { Server } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { FleetTable } from './fleet-table.tsx';
import { parseView } from './servers-view.ts';

/** Room for the table at 1280 and 1440 px beside the sidebar. */
const WIDTHS = { 1280: 972, 1440: 1132 } as const;
const LONG = 'ip-10-20-30-100.eu-central-1.compute.internal.prod.example.aws';

const headroom = { resource: 'memory', value: 83, line: 80, points: -3, subject: null } as const;
const FLEET = [
  sampleServer({ id: '1', hostname: LONG, region: 'ap-southeast-2', headroom }),
  sampleServer({ id: '2', hostname: 'gone', status: 'offline', headroom: { ...headroom, points: -20 } }),
] as Server[];

const table = (width: number, search = '') =>
  draw(
    <div style={{ width }}>
      <FleetTable
        servers={FLEET.toReversed()}
        latest={new Map()}
        view={parseView(new URLSearchParams(search))}
        onChange={() => undefined}
        ticks={{ ids: [], full: false, toggle: () => undefined }}
      />
    </div>,
  );

describe('the table of the fleet', () => {
  it.each(Object.entries(WIDTHS))('cuts nothing on a screen of %s px: columns go first', async (_, width) => {
    const screen = await table(width);
    const grid = screen.getByRole('table').element();
    expect(grid.parentElement?.scrollWidth).toBeLessThanOrEqual(width);
    await expect.element(screen.getByRole('link', { name: /^ip-10-20/ })).toBeVisible();
    const cells = [...grid.querySelectorAll('td:not(.plot)')];
    expect(cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)).toEqual([]);
  });

  it('puts servers that do not report under a heading, without headroom', async () => {
    const screen = await table(1132);
    await expect.element(screen.getByText('1 server sent no report for three intervals')).toBeVisible();
    const row = screen.getByRole('row', { name: /gone/ });
    await expect.element(row).toMatchTextContent(/no reports/);
    expect(row.element().textContent).not.toMatch(/over|below/);
  });

  it('has no headings in another order', async () => {
    const screen = await table(1132, 'sort=name');
    await expect.element(screen.getByRole('row', { name: /gone/ })).toBeVisible();
    expect(screen.getByText('Reporting').elements()).toEqual([]);
  });
});
