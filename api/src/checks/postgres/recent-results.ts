// SQL reads rows of arrays in partitions; each row is read once, because the lists of thousands of checks show them all.
import type { Pool } from 'pg';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import { RecentMinutes } from '../rules/recent-minutes.ts';

/** The longest look back of a list. */
const WINDOW_MS = 90 * 60_000;
/** Accounts whose members look at checks at the same time. */
const MOST_ACCOUNTS = 50;
/** Rows that are read at once: other requests are answered in between. */
const ROWS_AT_ONCE = 250;

/** $1 account  $2 from, ms. Read from the index alone. */
const KNOWN = `SELECT ${ms('ts')} AS at, place_key AS place FROM check_result WHERE organisation_id = $1 AND ts >= ${at('$2')} ORDER BY ts`;
const text = (column: string): string => `array_to_string(${column}, ',', '') AS ${column}`;
/** $1 account  $2 from, ms  $3 to, ms  $4 places. Text is read several times as fast as arrays. */
const ROWS = `SELECT ${ms('ts')} AS at, place_key AS place, ${['check_keys', 'ages', 'oks', 'total_ms'].map(text).join(', ')}
  FROM check_result WHERE organisation_id = $1 AND ts >= ${at('$2')} AND ts <= ${at('$3')} AND place_key = ANY($4::integer[])`;

interface KnownRow {
  at: number;
  place: number;
}
type Row = KnownRow & Record<'check_keys' | 'ages' | 'oks' | 'total_ms', string>;

interface Account {
  minutes: RecentMinutes;
  /** Rows that are in it, with their times. */
  read: Map<string, number>;
  running: Promise<RecentMinutes> | null;
}
const keyOf = ({ at: time, place }: KnownRow): string => `${String(time)} ${String(place)}`;

/**
 * Keeps the last minutes of the checks of an account while someone looks at them. A row of results never changes, so a request
 * reads only the rows that came since the one before, also those that came late.
 */
export class RecentResults {
  readonly #pool: Pool;
  readonly #accounts = new Map<OrganisationId, Account>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Requests of the same moment share one look at the database. */
  of(organisationId: OrganisationId, now: number): Promise<RecentMinutes> {
    const account = this.#accounts.get(organisationId) ?? {
      minutes: new RecentMinutes(),
      read: new Map<string, number>(),
      running: null,
    };
    this.#accounts.delete(organisationId);
    this.#accounts.set(organisationId, account);
    if (this.#accounts.size > MOST_ACCOUNTS)
      this.#accounts.delete(this.#accounts.keys().next().value ?? organisationId);
    account.running ??= this.#refresh(organisationId, account, now).finally(() => (account.running = null));
    return account.running;
  }

  async #refresh(organisationId: OrganisationId, { minutes, read }: Account, now: number): Promise<RecentMinutes> {
    const from = now - WINDOW_MS;
    minutes.advance(now);
    for (const [key, time] of read) if (time < from) read.delete(key);
    const { rows: known } = await this.#pool.query<KnownRow>(KNOWN, [organisationId, from]);
    const missing = known.filter((row) => !read.has(keyOf(row)));
    for (let start = 0; start < missing.length; start += ROWS_AT_ONCE) {
      const part = missing.slice(start, start + ROWS_AT_ONCE);
      const places = [...new Set(part.map(({ place }) => place))];
      // A millisecond on both sides: PostgreSQL keeps microseconds.
      const range = [(part[0]?.at ?? now) - 1, (part.at(-1)?.at ?? now) + 1];
      const { rows } = await this.#pool.query<Row>(ROWS, [organisationId, ...range, places]);
      for (const row of rows) {
        if (read.has(keyOf(row))) continue;
        read.set(keyOf(row), row.at);
        addRow(minutes, row);
      }
    }
    return minutes;
  }
}

function addRow(minutes: RecentMinutes, { at: time, place, check_keys, ages, oks, total_ms }: Row): void {
  const [ageOf, okOf, totalOf] = [ages.split(','), oks.split(','), total_ms.split(',')];
  for (const [index, key] of check_keys.split(',').entries()) {
    const [ok, total] = [okOf[index] ?? '', totalOf[index] ?? ''];
    minutes.add(Number(key), {
      placeKey: place,
      at: Math.round(time - Number(ageOf[index]) * 1000),
      ok: ok === '' ? null : ok === 'true' || ok === 't',
      totalMs: total === '' ? null : Number(total),
    });
  }
}
