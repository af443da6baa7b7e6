// SQL shapes the containers of all servers in one statement and reads a partitioned table.
import { CONTAINER_HISTORY } from '@plimsoll/contract/rules/limits';
import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import type { Database } from '../database/database.ts';
import { milliseconds, timestamp } from '../database/time.ts';
import { inScope } from '../servers/scope-sql.ts';
import type { Containers } from './store.ts';
import type { ContainerPoint } from './types.ts';

export interface LatestContainersRow {
  serverKey: number;
  sampleAt: number;
  containers: ContainerPart[];
}
/** $1 account  $2 server keys or null */
export const SELECT_CONTAINERS = `SELECT s.key AS "serverKey", ${milliseconds('p.sample_at')} AS "sampleAt", p.inside->'containers' AS containers
  FROM server s JOIN server_parts p ON p.server_key = s.key
  WHERE s.organisation_id = $1 AND ${inScope('s.key', '$2')} AND json_typeof(p.inside->'containers') = 'array'`;

/** $1 now, ms. Reports that came late count by their own time: only one of this step makes a point. */
const RECORD = `INSERT INTO container_history (ts, server_key, ids, cpu_percent, memory_bytes)
SELECT slot.at, p.server_key, c.ids, c.cpu, c.memory
FROM (SELECT date_bin('${CONTAINER_HISTORY.stepSeconds} seconds', ${timestamp('$1')}, to_timestamp(0)) AS at) slot
JOIN server_parts p ON p.sample_at >= slot.at AND p.sample_at <= ${timestamp('$1')} + interval '5 minutes'
  AND json_typeof(p.inside->'containers') = 'array'
CROSS JOIN LATERAL (
  SELECT array_agg(id ORDER BY id) AS ids, array_agg(cpu_percent::real ORDER BY id) AS cpu,
    array_agg(memory_bytes::real ORDER BY id) AS memory
  FROM json_to_recordset(p.inside->'containers') AS f(id text, cpu_percent double precision, memory_bytes double precision)
) c
WHERE c.ids IS NOT NULL
ON CONFLICT DO NOTHING RETURNING server_key AS key`;

interface HistoryRow {
  serverKey: number;
  at: number;
  ids: string[];
  cpu: (number | null)[];
}
/** $1 account  $2 server keys  $3 from, ms */
const HISTORY = `SELECT h.server_key AS "serverKey", ${milliseconds('h.ts')} AS at, h.ids, h.cpu_percent AS cpu
  FROM container_history h JOIN server s ON s.key = h.server_key
  WHERE s.organisation_id = $1 AND h.server_key = ANY($2::integer[]) AND h.ts >= ${timestamp('$3')} ORDER BY h.ts`;

export const createContainerStore = ({ pool }: Database): Containers => ({
  listLatest: async (owner, within) => {
    const { rows } = await pool.query<LatestContainersRow>(SELECT_CONTAINERS, [owner.organisationId, within ?? null]);
    return rows;
  },
  record: async (now) => (await pool.query(RECORD, [now])).rowCount ?? 0,
  listHistory: async (owner, serverKeys, from) => {
    const { rows } = await pool.query<HistoryRow>(HISTORY, [owner.organisationId, serverKeys, from]);
    const found = new Map<number, Map<string, ContainerPoint[]>>();
    for (const { serverKey, at, ids, cpu } of rows) {
      const ofServer = found.get(serverKey) ?? new Map<string, ContainerPoint[]>();
      found.set(serverKey, ofServer);
      for (const [index, id] of ids.entries()) {
        const points = ofServer.get(id) ?? [];
        ofServer.set(id, points);
        points.push({ at, cpuPercent: cpu[index] ?? null });
      }
    }
    return found;
  },
});
