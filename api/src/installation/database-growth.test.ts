import { expect, test } from 'vitest';
import { databaseGrowth, daysUntilFull } from './database-growth.ts';

const DAY = 86_400_000;
const FREE = { bytes: 1000, reason: null };

test('needs a day between the first and the last size', () => {
  const unknown = { bytesPerDay: null, measuredFrom: null, reason: 'The growth needs the sizes of one day.' };
  expect(databaseGrowth([])).toEqual(unknown);
  expect(databaseGrowth([{ at: 0, bytes: 5 }])).toEqual(unknown);
  const short = [
    { at: 0, bytes: 5 },
    { at: DAY - 1, bytes: 50 },
  ];
  expect(databaseGrowth(short)).toEqual(unknown);
  expect(daysUntilFull(databaseGrowth([]), FREE)).toEqual({ days: null, reason: unknown.reason });
});

test('is the mean of the days, and divides the free space', () => {
  const growth = databaseGrowth([
    { at: DAY, bytes: 100 },
    { at: 2 * DAY, bytes: 400 },
    { at: 3 * DAY, bytes: 300 },
  ]);
  expect(growth).toEqual({ bytesPerDay: 100, measuredFrom: DAY, reason: null });
  expect(daysUntilFull(growth, FREE)).toEqual({ days: 10, reason: null });
  expect(daysUntilFull(growth, { bytes: null, reason: 'not known' })).toEqual({ days: null, reason: 'not known' });
});

test('never fills a disk while the database shrinks', () => {
  const growth = databaseGrowth([
    { at: 0, bytes: 400 },
    { at: 2 * DAY, bytes: 300 },
  ]);
  expect(growth.bytesPerDay).toBe(-50);
  expect(daysUntilFull(growth, FREE)).toEqual({ days: null, reason: 'The database does not grow.' });
});
