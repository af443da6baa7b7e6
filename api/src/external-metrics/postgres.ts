// SQL: many rows of one request in one statement, and a choice by groups of them.
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { inTransaction, isCausedByOneRow, isStatementTimeout, type Database } from '../database/database.ts';
import { underLock } from '../database/job-lock.ts';
import { milliseconds, timestamp } from '../database/time.ts';
import { CodedError } from '../errors.ts';
import { identityHash, type ReadingsPiece } from './readings-piece.ts';
import type { ExternalReadings } from './store.ts';
import type { DueSource, Growth, KnownMachine, MetricSource, Value } from './types.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** Stores the rows of servers that have room in their interval, and counts the samples of the others. */
const ADD = `WITH given AS MATERIALIZED (
    SELECT r.*, decode(r.hash, 'hex') AS source_hash, ${timestamp('r.interval_at')} AS at FROM json_to_recordset($3::json)
      AS r(hash text, agent text, identity text, name text, apart text, interval_at double precision, samples integer,
        characters integer, reading_values json, growths json)
  ), judged AS MATERIALIZED (
    SELECT given.*, characters + coalesce((SELECT sum(w.characters) FROM external_reading w WHERE w.organisation_id = $1
      AND w.source_hash = given.source_hash AND w.interval_at = given.at AND NOT w.is_reported), 0) <= $4 AS has_room
    FROM given
  ), added AS (
    INSERT INTO external_reading (organisation_id, source_hash, agent, identity, name, interval_at, received_at,
      reading_values, growths, characters, apart)
    SELECT $1, source_hash, agent, identity, name, at, ${timestamp('$2')}, reading_values, growths, characters, coalesce(apart, '')
    FROM judged WHERE has_room
  )
  SELECT coalesce(sum(samples) FILTER (WHERE NOT has_room), 0)::integer AS "leftOut" FROM judged`;

export const DUE = `WITH ended AS (
    SELECT organisation_id, source_hash, interval_at, sum(characters) AS characters FROM external_reading
    WHERE NOT is_reported AND interval_at <= ${timestamp('$1')}
    GROUP BY organisation_id, source_hash, interval_at HAVING max(received_at) <= ${timestamp('$2')}
  ), source AS (
    SELECT organisation_id, source_hash, min(interval_at) AS oldest,
      row_number() OVER (PARTITION BY organisation_id ORDER BY min(interval_at), source_hash) AS turn
    FROM ended GROUP BY organisation_id, source_hash ORDER BY turn, oldest LIMIT $3
  ), due AS (
    SELECT organisation_id, source_hash, turn, oldest, max(interval_at) AS newest FROM (
      SELECT ended.*, turn, oldest, sum(ended.characters) OVER (ORDER BY turn, oldest, organisation_id, source_hash,
        interval_at) - ended.characters AS before
      FROM ended JOIN source USING (organisation_id, source_hash)
    ) summed
    WHERE before < $4 GROUP BY organisation_id, source_hash, turn, oldest
  )
  SELECT r.organisation_id AS "organisationId", encode(r.source_hash, 'hex') AS hash, r.agent, r.identity, r.name, r.id::text AS id,
    ${milliseconds('r.interval_at')} AS "intervalAt", r.is_reported AS "isReported", r.reading_values AS values, r.growths,
    r.apart, r.machines
  FROM external_reading r JOIN due USING (organisation_id, source_hash)
  WHERE r.interval_at <= due.newest OR r.is_reported
  ORDER BY due.turn, due.oldest, r.organisation_id, r.source_hash, r.interval_at, r.id`;

const HAS_ENDED = `SELECT EXISTS (SELECT FROM external_reading WHERE NOT is_reported AND interval_at <= ${timestamp('$1')}) AS "hasEnded"`;
const REMOVE = 'DELETE FROM external_reading WHERE id = ANY ($1::bigint[])';
const KEEP = `INSERT INTO external_reading (organisation_id, source_hash, agent, identity, name, interval_at, received_at,
    reading_values, growths, is_reported, machines)
  VALUES ($1, $2, $3, $4, $5, ${timestamp('$6')}, ${timestamp('$7')}, '[]', '[]', true, $8)`;

export interface DueRow {
  organisationId: OrganisationId;
  hash: string;
  agent: MetricSource['agent'];
  identity: string;
  name: string;
  id: string;
  intervalAt: number;
  isReported: boolean;
  values: Value[];
  growths: Growth[];
  apart: string;
  machines: KnownMachine[] | null;
}

/** Number of the advisory lock: one replica makes the reports. */
const LOCK = 0x706c_6d78;

interface Adding {
  organisationId: OrganisationId;
  piece: ReadingsPiece;
  now: number;
}
const RETRY_AFTER_SECONDS = 10;

/** Returns how many samples were left out. A row that PostgreSQL refuses costs its own samples, and no others. */
async function addPiece(pool: Database['pool'], { organisationId, piece, now }: Adding): Promise<number> {
  try {
    const most = EXTERNAL_METRICS_LIMITS.figureCharactersPerInterval;
    const { rows } = await pool.query<{ leftOut: number }>(ADD, [organisationId, now, piece.json, most]);
    return rows[0]?.leftOut ?? 0;
  } catch (error) {
    if (isStatementTimeout(error))
      throw new CodedError('overloaded', 'The database takes too long to store the samples', {
        remedy: `Try again in ${String(RETRY_AFTER_SECONDS)} s.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    if (!isCausedByOneRow(error)) throw error;
    const rows = JSON.parse(piece.json) as { samples: number }[];
    const [first] = rows;
    if (first === undefined) return 0;
    if (rows.length === 1) return first.samples;
    let leftOut = 0;
    for (const row of rows)
      leftOut += await addPiece(pool, { organisationId, piece: { json: JSON.stringify([row]), rows: 1 }, now });
    return leftOut;
  }
}

export const createExternalReadings = ({ pool }: Database): ExternalReadings => ({
  add: async (organisationId, pieces, now) => {
    let leftOut = 0;
    for (const piece of pieces) leftOut += await addPiece(pool, { organisationId, piece, now });
    return leftOut;
  },
  hasEnded: async (beganBefore) => {
    const { rows } = await pool.query<{ hasEnded: boolean }>(HAS_ENDED, [beganBefore]);
    return rows[0]?.hasEnded === true;
  },
  exclusively: (work) => underLock(pool, LOCK)(work),
  due: async ({ beganBefore, quietSince, limit, characters }) => {
    const { rows } = await pool.query<DueRow>(DUE, [beganBefore, quietSince, limit, characters]);
    const sources = new Map<string, DueSource>();
    for (const { organisationId, hash: source, agent, identity, name, machines, ...reading } of rows) {
      const key = `${organisationId}${source}`;
      const due = sources.get(key) ?? {
        organisationId,
        source: { agent, identity, name },
        machines: null,
        readings: [],
      };
      due.machines = machines ?? due.machines;
      due.readings.push(reading);
      sources.set(key, due);
    }
    return [...sources.values()];
  },
  settle: async ({ organisationId, source }, ids, machines, now) => {
    await inTransaction(pool, async (client) => {
      await client.query(REMOVE, [ids]);
      const intervalAt = Math.max(...machines.map(({ last }) => last?.intervalAt ?? 0));
      if (machines.every(({ last }) => last === null)) return;
      const { agent, identity, name } = source;
      const kept = [organisationId, identityHash(source), agent, identity, name, intervalAt, now];
      await client.query(KEEP, [...kept, JSON.stringify(machines)]);
    });
  },
});
