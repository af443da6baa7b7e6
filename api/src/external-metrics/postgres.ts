// SQL: many rows of one request in one statement, and a choice by groups of them.
import { hash } from 'node:crypto';
import { inTransaction, type Database } from '../database/database.ts';
import { underLock } from '../database/job-lock.ts';
import { milliseconds, timestamp } from '../database/time.ts';
import type { ExternalReadings } from './store.ts';
import type { DueSource, Growth, MetricSource, Value } from './types.ts';

/** Identity of a source within its account, of a fixed length. */
const identityHash = ({ agent, identity }: MetricSource): Buffer => hash('sha256', `${agent}\t${identity}`, 'buffer');

const ADD = `INSERT INTO external_reading (account_id, source_hash, agent, identity, name, interval_at, received_at,
    reading_values, growths)
  SELECT $1, decode(r.hash, 'hex'), r.agent, r.identity, r.name, ${timestamp('r.interval_at')}, ${timestamp('$2')},
    r.reading_values, r.growths
  FROM json_to_recordset($3::json) AS r(hash text, agent text, identity text, name text, interval_at double precision,
    reading_values json, growths json)`;

export const DUE = `WITH due AS (
    SELECT account_id, source_hash, max(interval_at) AS newest, min(interval_at) AS oldest FROM (
      SELECT account_id, source_hash, interval_at FROM external_reading
      WHERE NOT is_reported AND interval_at <= ${timestamp('$1')}
      GROUP BY account_id, source_hash, interval_at HAVING max(received_at) <= ${timestamp('$2')}
    ) ended
    GROUP BY account_id, source_hash ORDER BY oldest LIMIT $3
  )
  SELECT r.account_id AS "accountId", encode(r.source_hash, 'hex') AS hash, r.agent, r.identity, r.name, r.id::text AS id,
    ${milliseconds('r.interval_at')} AS "intervalAt", r.is_reported AS "isReported", r.reading_values AS values, r.growths
  FROM external_reading r JOIN due USING (account_id, source_hash)
  WHERE r.interval_at <= due.newest
  ORDER BY due.oldest, r.account_id, r.source_hash, r.interval_at, r.id`;

const HAS_ENDED = `SELECT EXISTS (SELECT FROM external_reading WHERE NOT is_reported AND interval_at <= ${timestamp('$1')}) AS "hasEnded"`;
const REMOVE = 'DELETE FROM external_reading WHERE id = ANY ($1::bigint[])';
const KEEP = `INSERT INTO external_reading (account_id, source_hash, agent, identity, name, interval_at, received_at,
    reading_values, growths, is_reported)
  VALUES ($1, $2, $3, $4, $5, ${timestamp('$6')}, ${timestamp('$7')}, $8, '[]', true)`;

export interface DueRow {
  accountId: string;
  hash: string;
  agent: MetricSource['agent'];
  identity: string;
  name: string;
  id: string;
  intervalAt: number;
  isReported: boolean;
  values: Value[];
  growths: Growth[];
}

/** Number of the advisory lock: one replica makes the reports. */
const LOCK = 0x706c_6d78;

export const createExternalReadings = ({ pool }: Database): ExternalReadings => ({
  add: async (accountId, readings, now) => {
    const rows = readings.map(({ source, intervalAt, values, growths }) => ({
      hash: identityHash(source).toString('hex'),
      ...source,
      interval_at: intervalAt,
      reading_values: values,
      growths,
    }));
    await pool.query(ADD, [accountId, now, JSON.stringify(rows)]);
  },
  hasEnded: async (beganBefore) => {
    const { rows } = await pool.query<{ hasEnded: boolean }>(HAS_ENDED, [beganBefore]);
    return rows[0]?.hasEnded === true;
  },
  exclusively: (work) => underLock(pool, LOCK)(work),
  due: async ({ beganBefore, quietSince, limit }) => {
    const { rows } = await pool.query<DueRow>(DUE, [beganBefore, quietSince, limit]);
    const sources = new Map<string, DueSource>();
    for (const { accountId, hash: source, agent, identity, name, ...reading } of rows) {
      const key = `${accountId}${source}`;
      const due = sources.get(key) ?? { accountId, source: { agent, identity, name }, readings: [] };
      due.readings.push(reading);
      sources.set(key, due);
    }
    return [...sources.values()];
  },
  settle: async ({ accountId, source }, ids, last, now) => {
    await inTransaction(pool, async (client) => {
      await client.query(REMOVE, [ids]);
      if (last === null) return;
      const { agent, identity, name } = source;
      const kept = [accountId, identityHash(source), agent, identity, name, last.intervalAt, now];
      await client.query(KEEP, [...kept, JSON.stringify(last.values)]);
    });
  },
});
