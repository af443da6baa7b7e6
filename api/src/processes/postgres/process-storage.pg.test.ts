import { PROCESS_HISTORY } from '@plimsoll/contract/rules/limits';
import { expect, it } from 'vitest';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { processListOf } from '../../testing/process-lists.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SERVERS = 4;
/** One block of quarters of an hour holds so many. */
const HOURS = PROCESS_HISTORY.blockSeconds / 3600;
const START = Math.floor(Date.now() / HOUR / HOURS) * HOUR * HOURS - 2 * HOUR * HOURS;
const FLEET = 500;
/** The disk that the process lists of such a fleet may take. */
const MB_A_DAY = 150;
/** Header, line pointer, key columns, pointer to the list and index entry of a row. */
const ROW_BYTES = 120;

describeEachPostgres('the disk of process lists', (db) => {
  it(`is below ${String(MB_A_DAY)} MB a day for ${String(FLEET)} servers`, async () => {
    const organisationId = await newAccount(db.storage());
    for (let server = 0; server < SERVERS; server += 1) {
      const agent = await enrolledAgent(db.storage(), organisationId);
      for (let minute = 0; minute < HOURS * 60; minute += 1) {
        const processes = processListOf(server, minute);
        const item = itemOf(minute + 1, START + minute * MINUTE, { processes, window_seconds: 60 });
        await db.storage().reports.accept(batchOf(agent, [item]));
      }
    }
    await db.storage().processMinutes.pack(START + (HOURS + 1) * HOUR);
    await db.storage().processQuarters.pack(START + (HOURS + 1) * HOUR);
    /** Bytes of the rows as stored, with their overhead. */
    const stored = async (table: string) => {
      const [row] = await db.sql<{ rows: number; bytes: number }>(
        `SELECT count(*)::int AS rows, sum(pg_column_size(packed) + ${String(ROW_BYTES)})::int AS bytes FROM ${table}`,
      );
      return row ?? { rows: 0, bytes: 0 };
    };
    const [minutes, quarters] = [await stored('process_block'), await stored('process_quarter_block')];
    expect([minutes.rows, quarters.rows]).toEqual([SERVERS * HOURS, SERVERS]);
    expect(await db.sql('SELECT FROM process_quarter UNION ALL SELECT FROM process_minute')).toEqual([]);
    const aDay = ({ bytes }: { bytes: number }) => ((bytes / SERVERS / HOURS) * 24 * FLEET) / 2 ** 20;
    expect(aDay(minutes) + aDay(quarters)).toBeLessThan(MB_A_DAY);
  });
});
