import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { fleetBars, isLargeFleet, LINE_SHARE, MOST_BARS, nearestServers } from './fleet-bars.ts';

const entry = (hostname: string, value: number | null, status: FleetEntry['status'] = 'active'): FleetEntry => ({
  server_id: hostname,
  hostname,
  status,
  headroom: value === null ? null : { resource: 'cpu', value, line: 80, points: 80 - value, subject: null },
  region: null,
  tags: {},
});

describe('fleetBars', () => {
  it('puts the silent first, then orders by headroom, then the new, without the uninstalled', () => {
    const bars = fleetBars([
      entry('calm', 20),
      entry('silent', 99, 'offline'),
      entry('gone', 99, 'uninstalled'),
      entry('fresh', null, 'installing'),
      entry('hot', 91),
    ]);
    expect(bars.map(({ name, kind, band }) => [name, kind, band])).toEqual([
      ['silent', 'late', 'ok'],
      ['hot', 'live', 'over'],
      ['calm', 'live', 'ok'],
      ['fresh', 'new', 'ok'],
    ]);
    expect(bars[1]?.words).toBe('hot: CPU · 11 over');
    expect(bars[0]).toMatchObject({ note: 'offline', words: 'silent: offline, last known CPU 99 %' });
    const [refused, fresh] = fleetBars([entry('old', 40, 'refused'), entry('fresh', null, 'refused')]);
    expect(refused).toMatchObject({ kind: 'late', words: 'old: refused, last known CPU 40 %' });
    expect(fresh?.words).toBe('fresh: reports refused');
  });

  it.each([
    ['offline', 'late', 'offline', 'a: offline, no stored figure'],
    ['installing', 'new', 'new', 'a: no report yet'],
    ['active', 'new', 'new', 'a: reports no figure with a line'],
  ] as const)('says of a server without a figure that is %s what is known', (status, kind, note, words) => {
    expect(fleetBars([entry('a', null, status)])[0]).toMatchObject({ kind, note, words, value: '–' });
  });

  it('puts a value at its line exactly on the drawn line', () => {
    expect(fleetBars([entry('a', 80)])[0]?.height).toBeCloseTo(LINE_SHARE);
    expect(fleetBars([entry('a', 0)])[0]?.height).toBeGreaterThan(0);
    expect(fleetBars([entry('a', 300)])[0]?.height).toBe(1);
  });
});

it('counts the installed servers of a large fleet', () => {
  const fleet = Array.from({ length: MOST_BARS }, (_, index) => entry(`s${index}`, 50));
  expect(isLargeFleet([...fleet, entry('gone', 50, 'uninstalled')])).toBe(false);
  expect(isLargeFleet([...fleet, entry('silent', 50, 'offline')])).toBe(true);
});

describe('nearestServers', () => {
  it('names only servers with a fresh figure', () => {
    const fleet = [entry('a', 50), entry('b', 90), entry('c', 99, 'offline'), entry('d', null)];
    expect(nearestServers(fleet, 6).map((each) => each.hostname)).toEqual(['b', 'a']);
  });
});
