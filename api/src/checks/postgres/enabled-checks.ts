// SQL reads the versions of rows, so that a look at thousands of checks reads only those that changed.
import type { Database } from '../../database/database.ts';
import type { Check } from '../types.ts';
import { checkOf } from './checks.ts';

/** A row that is written again has another transaction or another place. */
const VERSIONS = `SELECT key, xmin::text || ctid::text AS version FROM check_definition WHERE is_enabled ORDER BY key`;

/** The enabled checks of every organisation, kept between two looks. */
export class EnabledChecks {
  readonly #database: Database;
  #known = new Map<number, { version: string; check: Check }>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Ordered by key. */
  async list(): Promise<Check[]> {
    const { pool, prisma } = this.#database;
    const { rows: versions } = await pool.query<{ key: number; version: string }>(VERSIONS);
    const known = this.#known;
    const changed = versions.filter(({ key, version }) => known.get(key)?.version !== version).map(({ key }) => key);
    const [first, last] = [changed[0], changed.at(-1)];
    // From the first to the last: thousands of keys would be as many parameters.
    const rows =
      first === undefined || last === undefined
        ? []
        : await prisma.checkDefinition.findMany({ where: { isEnabled: true, key: { gte: first, lte: last } } });
    const read = new Map(rows.map((row) => [row.key, row]));
    const next: typeof known = new Map();
    for (const { key, version } of versions) {
      const row = read.get(key);
      const before = known.get(key);
      // A row that changed after its version was read is read again at the next look.
      if (row !== undefined) next.set(key, { version, check: checkOf(row) });
      else if (before?.version === version) next.set(key, before);
    }
    this.#known = next;
    return [...next.values()].map(({ check }) => check);
  }
}
