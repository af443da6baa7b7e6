// SQL reads which buckets changed: the sums over some servers of an account are kept while they stay true.
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Owner } from '../../tenancy/owner.ts';
import type { Chart } from '../chart-buckets.ts';
import type { FleetStep } from '../fleet-steps.ts';
import type { SeriesQuery } from '../types.ts';
import { readyStatement } from './series-sql.ts';

/** A bucket has about 30 numbers, so all of them take 15 MB at most. */
const MOST_BUCKETS = 30_000;
/** More than a chart has: the ranges of one bucket width share their sums. */
const MOST_OF_SCOPE = 2000;

interface Kept<Row> {
  /** Number of samples of the whole account in this bucket when it was summed: a late sample changes it. */
  samples: number;
  /** Null: none of these servers reported in it. */
  row: Row | null;
}
type KeptBuckets<Row> = Map<number, Kept<Row>>;

/** The stored buckets of an account in a range. */
interface Ready {
  /** Samples by the start of the bucket, epoch ms. */
  samples: ReadonlyMap<number, number>;
  /** End of these buckets, epoch ms: what follows is still open, or waits to be summed. */
  to: number;
}

async function readReady(pool: Pool, owner: Owner, step: FleetStep, query: SeriesQuery): Promise<Ready> {
  const { rows } = await pool.query<{ ready_to: number; at: number | null; samples: number | null }>({
    name: `ready_${String(step.seconds)}`,
    text: readyStatement(step),
    values: [owner.organisationId, query.from, query.to, query.bucketSeconds],
  });
  const stored = rows.flatMap(({ at, samples }): [number, number][] => (at === null ? [] : [[at, samples ?? 0]]));
  return { samples: new Map(stored), to: rows[0]?.ready_to ?? query.from };
}

interface ScopeQuestion {
  owner: Owner;
  chart: Chart;
  step: FleetStep;
  query: SeriesQuery & { within: readonly number[] };
}

/** The same servers have the same name, however the scope is written. */
const nameOf = ({ owner, chart, step, query }: ScopeQuestion): string => {
  const keys = query.within.toSorted((a, b) => a - b).join();
  return `${owner.organisationId} ${chart} ${String(step.seconds)} ${createHash('sha256').update(keys).digest('base64')}`;
};

/**
 * Keeps the closed buckets of charts over some servers, because viewers request them again every 15 s. A bucket is kept
 * while the stored sum over all servers of the account says that no sample was added to it. So the database sums only the
 * open buckets, and each closed one once.
 */
export class ScopeSums<Row extends { at: number }> {
  readonly #pool: Pool;
  /** The least recently used first. */
  readonly #scopes = new Map<string, KeptBuckets<Row>>();
  #buckets = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** `sum` reads the buckets of a range from the rows of the servers. */
  async read(question: ScopeQuestion, sum: (query: SeriesQuery) => Promise<Row[]>): Promise<Row[]> {
    const { owner, step, query } = question;
    const name = nameOf(question);
    const ready = await readReady(this.#pool, owner, step, query);
    const known: KeptBuckets<Row> = this.#scopes.get(name) ?? new Map<number, Kept<Row>>();
    const missing = [...ready.samples].filter(([at, samples]) => known.get(at)?.samples !== samples);
    const open = { ...query, from: ready.to };
    if (missing.length === 0) return [...keptIn(known, ready), ...(await sum(open))];

    const times = missing.map(([at]) => at);
    const from = Math.min(...times);
    const to = Math.max(...times) + query.bucketSeconds * 1000;
    // The bucket that closed last is missing most often. One statement reads it together with the open ones.
    const isTail = to === ready.to;
    const summed = await sum({ ...query, from, to: isTail ? query.to : to });
    const rows = new Map(summed.map((row) => [row.at, row]));
    const buckets = new Map(known);
    for (const [at, samples] of missing) buckets.set(at, { samples, row: rows.get(at) ?? null });
    this.#keep(name, buckets, ready);
    const newest = isTail ? summed.filter(({ at }) => at >= ready.to) : await sum(open);
    return [...keptIn(buckets, ready), ...newest];
  }

  #keep(name: string, buckets: KeptBuckets<Row>, { samples }: Ready): void {
    if (buckets.size > MOST_OF_SCOPE) for (const at of buckets.keys()) if (!samples.has(at)) buckets.delete(at);
    this.#buckets += buckets.size - (this.#scopes.get(name)?.size ?? 0);
    this.#scopes.delete(name);
    this.#scopes.set(name, buckets);
    for (const [oldest, { size }] of this.#scopes) {
      if (this.#buckets <= MOST_BUCKETS) break;
      this.#scopes.delete(oldest);
      this.#buckets -= size;
    }
  }
}

/** Returns the rows of the stored buckets, oldest first. */
const keptIn = <Row>(known: ReadonlyMap<number, Kept<Row>>, { samples }: Ready): Row[] =>
  [...samples.keys()].toSorted((a, b) => a - b).flatMap((at) => known.get(at)?.row ?? []);
