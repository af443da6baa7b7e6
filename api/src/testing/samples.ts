import { randomUUID } from 'node:crypto';
import { ownerOf, type Owner } from '../tenancy/owner.ts';
import { machineHash } from './app.ts';
import type { TestDatabase } from './postgres.ts';
import { ownOrganisationOf } from '../tenancy/ids.ts';

/** A server with an account of its own, without anything reported. */
export async function makeServer(
  db: TestDatabase,
  at: number,
): Promise<{ id: string; key: number; owner: Owner; tenant: number }> {
  const email = `${randomUUID()}@example.com`;
  const account = await db.storage().accounts.create({ email, name: 'Someone', passwordHash: 'x' }, at);
  const [server] = await db.sql<{ id: string; key: number; tenant: number }>(
    `INSERT INTO server (organisation_id, machine_hash, hostname, created_at)
     VALUES ($1, decode($2, 'hex'), 'host', to_timestamp($3 / 1000.0)) RETURNING id, key, series_tenant AS tenant`,
    [account.id, machineHash(randomUUID()), at],
  );
  if (server === undefined) throw new Error('no server');
  return { ...server, owner: ownerOf(ownOrganisationOf(account.id)) };
}

const STORE_SAMPLES = `WITH sample AS (
  INSERT INTO host_sample (server_key, ts, cpu_percent, memory_percent, disk_percent, io_wait_percent, swap_percent,
    read_operations_per_second, write_operations_per_second, receive_bytes_per_second, transmit_bytes_per_second,
    tcp_retransmits_per_second, load_one, connections_total, connections_established)
  SELECT $1, to_timestamp(at / 1000.0), n % 97 + 0.25, n % 13, 40 + n % 7, CASE WHEN n % 5 = 0 THEN NULL ELSE n % 3 END, 0,
    n % 50, n % 20, n % 1000 * 1.5, n % 300 * 2.5, n % 4, n % 9 * 0.1, n % 40, n % 30
  FROM unnest($2::double precision[]) WITH ORDINALITY AS given (at, n)
  ON CONFLICT DO NOTHING RETURNING server_key, ts
), stream AS (
  INSERT INTO report_stream (server_key, stream_id, settled, last_received_at)
  VALUES ($1, gen_random_uuid(), '{}', to_timestamp($4 / 1000.0)) RETURNING key
)
INSERT INTO report_ledger (stream_key, boot, seq, sample_at, received_at, up_seconds, content_hash)
SELECT stream.key, 1, row_number() OVER (ORDER BY ts), ts, COALESCE(to_timestamp($3::double precision / 1000), ts), 0, '\\x00'
FROM sample CROSS JOIN stream`;

/** Stores samples as accepted reports do; `receivedAt`: all at that moment, else each at its own. */
export async function storeSamples(
  db: TestDatabase,
  serverKey: number,
  times: readonly number[],
  receivedAt: number | null = null,
): Promise<void> {
  await db.sql(STORE_SAMPLES, [serverKey, times, receivedAt, receivedAt ?? Math.max(0, ...times)]);
}

/** A time each minute. */
export const minutes = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index * 60_000);
