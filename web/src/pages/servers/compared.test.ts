import { expect, test } from 'vitest';
import { LINES } from '../../testing/parts-samples.ts';
import { MOST_COMPARED, parseCompared, sharedLine, toggled, withCompared, withoutBands } from './compared.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

test('the address says what is compared, at most eight and each once', () => {
  const many = Array.from({ length: 9 }, (_, n) => id(n));
  const search = new URLSearchParams({ compare: [...many, id(0), 'x'].join(','), show: 'charts' });
  expect(parseCompared(search)).toEqual({ ids: many.slice(0, MOST_COMPARED), open: true });
  expect(parseCompared(new URLSearchParams('show=charts'))).toEqual({ ids: [], open: false });
  expect(parseCompared(new URLSearchParams('compare=x,,'))).toEqual({ ids: [], open: false });
});

test('writing it keeps the other parameters and leaves out what is empty', () => {
  const before = new URLSearchParams('view=table&compare=old&show=charts');
  expect(withCompared(before, { ids: [], open: true }).toString()).toBe('view=table');
  const next = withCompared(before, { ids: [id(1)], open: false });
  expect([next.get('view'), parseCompared(next)]).toEqual(['table', { ids: [id(1)], open: false }]);
});

test('a tick comes and goes; a ninth changes nothing', () => {
  const eight = Array.from({ length: 8 }, (_, n) => id(n));
  expect(toggled([id(1)], id(2))).toEqual([id(1), id(2)]);
  expect(toggled([id(1), id(2)], id(1))).toEqual([id(2)]);
  expect(toggled(eight, id(9))).toEqual(eight);
});

test('a line is shared only if all servers have it', () => {
  const other = { ...LINES, cpu: { warning: 90, critical: 95 } };
  expect(sharedLine([{ lines: LINES }, { lines: LINES }], 'cpu')).toEqual({
    line: LINES.cpu.warning,
    critical: LINES.cpu.critical,
    note: null,
  });
  expect(sharedLine([{ lines: LINES }, { lines: other }], 'cpu')).toEqual({
    line: null,
    critical: null,
    note: `lines differ: ${LINES.cpu.warning}, 90 %`,
  });
  expect(sharedLine([], 'cpu').line).toBeNull();
});

test('a critical line is shared only if all servers have it, too', () => {
  const other = { ...LINES, cpu: { ...LINES.cpu, critical: 99 } };
  expect(sharedLine([{ lines: LINES }, { lines: other }], 'cpu')).toEqual({
    line: LINES.cpu.warning,
    critical: null,
    note: null,
  });
});

test('lines of servers over each other have no bands, and keep their gaps', () => {
  const points = [
    { at: 0, avg: 5, min: 1, max: 9, lacking: '1 of 2 reported' },
    { at: 60, avg: null, min: null, max: null },
  ];
  expect(withoutBands(points)).toEqual([
    { at: 0, avg: 5 },
    { at: 60, avg: null },
  ]);
});
