import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger, type Connection } from '../../../api/src/database/connection.ts';
import { startEmbedded } from '../../../api/src/database/embedded/start-embedded.ts';
import { query } from '../../e2e/query.ts';
import type { Verdict } from './fault.ts';

/** Reports that the database holds, and what is wrong with them. A key is "server stream seq". */
export interface Stored {
  keys: string[];
  /** Samples with the same number of one server: each report carries a number of its own. */
  doubled: number;
  /** Streams with seqs that are neither stored, rejected nor declared dropped. */
  unexplained: number;
}

const KEYS = `SELECT v.id || ' ' || replace(r.stream_id::text, '-', '') || ' ' || l.seq AS key
  FROM report_ledger l JOIN report_stream r ON r.key = l.stream_key JOIN server v ON v.key = r.server_key
  JOIN host_sample s ON s.server_key = v.key AND s.ts = l.sample_at`;
const DOUBLED =
  'SELECT (count(*) - count(DISTINCT (server_key, load_one)))::integer AS count FROM host_sample WHERE load_one IS NOT NULL';
const UNEXPLAINED = `SELECT count(*)::integer AS count FROM report_stream r JOIN server v ON v.key = r.server_key
  WHERE NOT v.id = ANY ($1::uuid[]) AND ((SELECT count(*) FROM unnest(settled)) > 1 OR lower(settled) > 1)`;

/**
 * Reads the embedded database of an API that has ended. `careless`: ids of servers whose senders never repeat what was
 * refused, so gaps in their streams are their own.
 */
export async function readStored(dataDir: string, careless: readonly string[] = []): Promise<Stored> {
  const database = await startEmbedded({ dataDir, logger: silentLogger });
  try {
    return await storedIn(database.connection, careless);
  } finally {
    await database.stop();
  }
}

export async function storedIn(connection: Connection, careless: readonly string[] = []): Promise<Stored> {
  const keys = await query<{ key: string }>(connection, KEYS);
  const [doubled] = await query<{ count: number }>(connection, DOUBLED);
  const [unexplained] = await query<{ count: number }>(connection, UNEXPLAINED, [careless]);
  return { keys: keys.map(({ key }) => key), doubled: doubled?.count ?? 0, unexplained: unexplained?.count ?? 0 };
}

/** Returns the keys that `load-collectors.ts` noted as acknowledged. The last line may have been cut by a kill. */
export function acknowledgedIn(folder: string): string[] {
  const file = join(folder, 'acked.log');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

/** Every acknowledged report is stored once, and every gap in the numbers of a stream has a reason. */
export function judge(acknowledged: readonly string[], { keys, doubled, unexplained }: Stored): Verdict {
  const stored = new Set(keys);
  const lost = new Set(acknowledged.filter((key) => !stored.has(key))).size;
  const twice = doubled + keys.length - stored.size;
  return {
    isHeld: acknowledged.length > 0 && lost === 0 && twice === 0 && unexplained === 0,
    figures: `${String(new Set(acknowledged).size)} reports acknowledged, ${String(lost)} lost, ${String(twice)} doubled, ${String(unexplained)} gaps without a reason`,
  };
}
