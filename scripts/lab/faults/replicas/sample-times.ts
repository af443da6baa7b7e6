import type { Connection } from '../../../../api/src/database/connection.ts';
import { query } from '../../../e2e/query.ts';

/** A machine that is busy delays a report by seconds; a wrong clock moves it by minutes. */
const MOST_OFF_SECONDS = 60;

/**
 * Counts samples at a time at which they were not taken. Reports are numbered and taken at equal intervals, so number and
 * interval give the time of each, except on servers that were silent.
 */
export async function misplacedIn(
  connection: Connection,
  intervalSeconds: number,
  silent: readonly { serverId: string }[],
): Promise<number> {
  const left = silent.map(({ serverId }) => `'${serverId}'`).join(', ');
  const [row] = await query<{ count: number }>(
    connection,
    `WITH report AS (SELECT r.server_key, l.sample_at - l.seq * interval '${String(intervalSeconds)} seconds' AS begun
        FROM report_ledger l JOIN report_stream r ON r.key = l.stream_key JOIN server s ON s.key = r.server_key
        ${left === '' ? '' : `WHERE s.id NOT IN (${left})`}),
      server AS (SELECT server_key, percentile_disc(0.5) WITHIN GROUP (ORDER BY begun) AS begun FROM report GROUP BY 1)
    SELECT count(*)::integer AS count FROM report r JOIN server s USING (server_key)
    WHERE abs(extract(epoch FROM r.begun - s.begun)) > ${String(MOST_OFF_SECONDS)}`,
  );
  return row?.count ?? 0;
}
