import { array, assert, asyncProperty, double, option } from 'fast-check';
import { expect, it } from 'vitest';
import { describeEachPostgres } from '../testing/postgres.ts';
import { float8Array } from './float8-array.ts';

describeEachPostgres('a binary array of numbers', (db) => {
  it('is read by PostgreSQL as the same numbers', async () => {
    const numbers = array(option(double({ noNaN: true, noDefaultInfinity: true })), { maxLength: 100 });
    await assert(
      asyncProperty(numbers, async (sent) => {
        const [row] = await db.sql<{ read: (number | null)[]; first: number | null; isEqual: boolean }>(
          `SELECT $1::double precision[] AS read, ($1::double precision[])[1] AS first,
             $1::double precision[] = $2::text::double precision[] AS "isEqual"`,
          [float8Array(sent), `{${sent.map((number) => number ?? 'NULL').join(',')}}`],
        );
        // PostgreSQL has a negative zero, and says that it equals zero; the driver reads it as a zero.
        expect(row?.read.map((number) => number && number + 0)).toEqual(sent.map((number) => number && number + 0));
        expect(row?.first).toEqual(sent[0] === undefined ? null : sent[0] && sent[0] + 0);
        expect(row?.isEqual).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
