import { expect, it } from 'vitest';
import { seriesTable } from './series-table.ts';

it('joins series by their moments and writes bands only where there are some', () => {
  const table = seriesTable([
    { label: 'CPU', points: [{ at: 60, avg: 2, min: 1, max: 3 }] },
    {
      label: 'Disk',
      points: [
        { at: 0, avg: 5 },
        { at: 60, avg: null },
      ],
    },
  ]);
  expect(table).toEqual({
    columns: ['time', 'CPU average', 'CPU lowest', 'CPU highest', 'Disk'],
    rows: [
      ['1970-01-01T00:00:00.000Z', null, null, null, 5],
      ['1970-01-01T00:01:00.000Z', 2, 1, 3, null],
    ],
  });
});
