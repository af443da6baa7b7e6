import { expect, test } from 'vitest';
import { limitsExport } from './detail-exports.ts';
import { clockText, limitRows } from './limit-rows.ts';

const LIMITS = {
  conntrack: { used: 49_152, max: 65_536 },
  open_files: { used: 1920, max: null },
  ephemeral_ports: null,
  clock_synchronized: false,
};

test('each limit has its share, and none where the kernel sets no limit or nothing is reported', () => {
  const rows = limitRows(LIMITS);
  expect(rows.map(({ used, max, percent }) => [used, max, percent])).toEqual([
    [49_152, 65_536, 75],
    [1920, null, null],
    [null, null, null],
  ]);
  const { columns, rows: exported } = limitsExport(rows);
  expect(exported.map((cells) => cells.length)).toEqual(rows.map(() => columns.length));
});

test('the clock is named only where it is known', () => {
  expect(clockText(LIMITS)).toBe('clock not synchronised');
  expect(clockText({ ...LIMITS, clock_synchronized: null })).toBeUndefined();
});

test('a limit of nought has no share: nothing can be divided by it', () => {
  const [first] = limitRows({ ...LIMITS, conntrack: { used: 5, max: 0 } });
  expect(first).toMatchObject({ used: 5, max: 0, percent: null });
  expect(limitRows({ ...LIMITS, conntrack: { used: 0, max: 100 } })[0]?.percent).toBe(0);
});

test('a clock that is right is said to be', () => {
  expect(clockText({ ...LIMITS, clock_synchronized: true })).toBe('clock synchronised');
});
