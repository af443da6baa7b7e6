// SQL takes readings of containers in batches and writes their histograms in one statement: a row for each would take minutes.
import type { PoolClient } from 'pg';
import type { Database } from '../../database/database.ts';
import { underLock } from '../../database/job-lock.ts';
import { timestamp as at } from '../../database/time.ts';
import { addValue, decodeHistogram, encodeHistogram, type Histogram, LEAST, mergeInto } from '../histogram.ts';

/** Advisory lock of this job. */
const LOCK = 7_270_120;
/** Readings of one batch: 100 nodes with 100 containers each take 5 ms of the API's thread. */
const BATCH = 100;
const KEPT_DAYS = 60;
/** A reading that waits for a pod which never came is deleted after this time. */
const TAKE = `DELETE FROM capacity_reading r USING (
    SELECT node_key, ts FROM capacity_reading ORDER BY ts LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) AS t
  WHERE r.node_key = t.node_key AND r.ts = t.ts
  RETURNING (r.ts AT TIME ZONE 'UTC')::date::text AS day, r.pods, r.containers, r.cpu_cores AS cpu, r.memory_bytes AS memory`;
const PODS = `SELECT key, cluster_key AS "clusterKey", namespace, owner_kind AS kind, owner_name AS workload
  FROM kube_pod WHERE key = ANY($1::int[]) AND owner_kind IS NOT NULL AND owner_name IS NOT NULL`;
/** In one order of the keys, so that two writers wait for each other in one direction only. */
const FIND = `SELECT d.cluster_key AS "clusterKey", d.namespace, d.kind, d.workload, d.container, d.day::text AS day, d.cpu, d.memory
  FROM capacity_container_day d
  JOIN jsonb_to_recordset($1::jsonb) AS x("clusterKey" int, namespace text, kind text, workload text, container text, day date)
    ON d.cluster_key = x."clusterKey" AND d.namespace = x.namespace AND d.kind = x.kind AND d.workload = x.workload
      AND d.container = x.container AND d.day = x.day
  FOR UPDATE OF d`;
const SAVE = `INSERT INTO capacity_container_day (cluster_key, namespace, kind, workload, container, day, cpu, memory)
  SELECT "clusterKey", namespace, kind, workload, container, day, decode(cpu, 'base64'), decode(memory, 'base64')
  FROM jsonb_to_recordset($1::jsonb) AS x("clusterKey" int, namespace text, kind text, workload text, container text, day date,
    cpu text, memory text)
  ON CONFLICT (cluster_key, namespace, kind, workload, container, day) DO UPDATE
    SET cpu = excluded.cpu, memory = excluded.memory`;
/** $1 now, ms */
const before = `(${at('$1')} AT TIME ZONE 'UTC')::date - ${KEPT_DAYS}`;
const PRUNE = [
  `DELETE FROM capacity_container_day WHERE day < ${before}`,
  `DELETE FROM capacity_day WHERE day < ${before}`,
];

interface Place {
  clusterKey: number;
  namespace: string;
  kind: string;
  workload: string;
  container: string;
  day: string;
}
interface Reading {
  day: string;
  pods: number[];
  containers: string[];
  cpu: (number | null)[];
  memory: (number | null)[];
}
interface Folded {
  place: Place;
  cpu: Histogram;
  memory: Histogram;
}
const keyOf = ({ clusterKey, namespace, kind, workload, container, day }: Place): string =>
  JSON.stringify([clusterKey, namespace, kind, workload, container, day]);

/** Adds waiting readings to the histograms of their day. Returns how many there were. */
export async function foldReadings({ pool }: Database, now: number): Promise<number> {
  let readings = 0;
  for (;;) {
    const taken = await underLock(pool, LOCK)((client) => foldBatch(client));
    readings += taken ?? 0;
    if (taken === null || taken < BATCH) break;
  }
  for (const text of PRUNE) await pool.query(text, [now]);
  return readings;
}

async function foldBatch(client: PoolClient): Promise<number> {
  const { rows } = await client.query<Reading>(TAKE);
  if (rows.length === 0) return 0;
  const keys = [...new Set(rows.flatMap(({ pods }) => pods))];
  const pods = await client.query<Omit<Place, 'container' | 'day'> & { key: number }>(PODS, [keys]);
  const folded = foldRows(rows, new Map(pods.rows.map(({ key, ...place }) => [key, place])));
  const places = JSON.stringify([...folded.values()].map(({ place }) => place));
  const known = await client.query<Place & { cpu: Buffer; memory: Buffer }>(FIND, [places]);
  for (const { cpu, memory, ...place } of known.rows) {
    const own = folded.get(keyOf(place));
    if (own === undefined) continue;
    mergeInto(own.cpu, decodeHistogram(cpu));
    mergeInto(own.memory, decodeHistogram(memory));
  }
  const saved = [...folded.values()].map(({ place, cpu, memory }) => ({
    ...place,
    cpu: encodeHistogram(cpu).toString('base64'),
    memory: encodeHistogram(memory).toString('base64'),
  }));
  if (saved.length > 0) await client.query(SAVE, [JSON.stringify(saved)]);
  return rows.length;
}

function foldRows(
  rows: readonly Reading[],
  places: ReadonlyMap<number, Omit<Place, 'container' | 'day'>>,
): Map<string, Folded> {
  const folded = new Map<string, Folded>();
  for (const { day, pods, containers, cpu, memory } of rows)
    for (const [index, pod] of pods.entries()) {
      const owner = places.get(pod);
      if (owner === undefined) continue;
      const place = { ...owner, container: containers[index] ?? '', day };
      const key = keyOf(place);
      const own = folded.get(key) ?? { place, cpu: new Map(), memory: new Map() };
      folded.set(key, own);
      const [cores, bytes] = [cpu[index] ?? null, memory[index] ?? null];
      if (cores !== null) addValue(own.cpu, cores, LEAST.cpuCores);
      if (bytes !== null) addValue(own.memory, bytes, LEAST.memoryBytes);
    }
  return folded;
}
