// SQL acts on alerts: one transaction locks up to 1,000 alerts, changes them and records what an undo restores.
import { randomUUID } from 'node:crypto';
import type { BulkAction } from '@plimsoll/contract/rules/alert-acting';
import type { PoolClient } from 'pg';
import { inTransaction, isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, SHOWN_NAME, timestamp as at } from '../../database/time.ts';
import {
  acknowledged,
  isSame,
  undoUntil,
  type Acknowledgement,
  type BulkChange,
  type BulkOperation,
  type BulkResult,
  type UndoResult,
} from '../acting/bulk-operation.ts';
import type { AlertActions, AlertOutbox } from '../store.ts';
import { deleteSilences, insertSilence } from './silences.ts';
import type { OrganisationId, PersonId } from '../../tenancy/ids.ts';

/** The evaluation locks the tracks of a server or cluster before its alerts; the same order here excludes a deadlock. */
const lockTracks = (table: string, key: string): string => `SELECT FROM ${table}
  WHERE ${key} IN (SELECT ${key} FROM alert WHERE id = ANY($1::uuid[])) ORDER BY ${key} FOR NO KEY UPDATE`;
const LOCK_TRACKS = [lockTracks('alert_track', 'server_key'), lockTracks('alert_cluster_track', 'cluster_key')];
/** $1 account  $2 alert ids */
const LOCK = `SELECT a.id, a.title || ' on ' || COALESCE(${SHOWN_NAME}, cl.name, cl.uid, 'all servers') AS about,
    s.id AS "serverId", cl.uid AS "clusterId", a.rule, a.subject, a.resolved_at IS NOT NULL AS "isResolved",
    ${ms('a.acknowledged_at')} AS at, a.acknowledged_by AS by, a.acknowledged_note AS note
  FROM alert a LEFT JOIN server s ON s.key = a.server_key LEFT JOIN cluster cl ON cl.key = a.cluster_key
  WHERE a.id = ANY($2::uuid[]) AND COALESCE(s.organisation_id, cl.organisation_id, a.organisation_id) = $1 ORDER BY a.id FOR NO KEY UPDATE OF a`;
interface LockedRow {
  id: string;
  about: string;
  serverId: string | null;
  /** Only of an alert about a cluster. */
  clusterId: string | null;
  rule: string;
  subject: string;
  isResolved: boolean;
  at: number | null;
  by: string | null;
  note: string | null;
}

/** $1 alert ids  $2 times, ms  $3 accounts  $4 notes; one of each per alert. An account may have gone since. */
const SET = `UPDATE alert a SET acknowledged_at = ${at('x.at')}, acknowledged_note = x.note,
    acknowledged_by = (SELECT k.id FROM account k WHERE k.id = x.by)
  FROM unnest($1::uuid[], $2::double precision[], $3::uuid[], $4::text[]) AS x(id, at, by, note) WHERE a.id = x.id`;
/** $1 alert ids  $2 kinds  $3 notes; one of each per alert  $4 account  $5 now, ms */
const NOTE = `INSERT INTO alert_event (alert_id, at, kind, organisation_id, note)
  SELECT x.id, ${at('$5')}, x.kind, $4, x.note FROM unnest($1::uuid[], $2::text[], $3::text[]) AS x(id, kind, note)`;
const RECORD = `INSERT INTO alert_bulk (id, organisation_id, action, at, changes) VALUES ($1, $2, $3, ${at('$4')}, $5::jsonb)`;
/** $1 account  $2 operation */
const FIND = `SELECT action, ${ms('at')} AS at, undone_at IS NOT NULL AS "isUndone", changes FROM alert_bulk
  WHERE organisation_id = $1 AND id = $2 FOR UPDATE`;
const UNDONE = `UPDATE alert_bulk SET undone_at = ${at('$2')} WHERE id = $1`;
/** $1 account  $2 silences. One that somebody changed afterwards stays. */
const UNTOUCHED = `SELECT id FROM alert_silence WHERE organisation_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL
  AND updated_at = created_at FOR UPDATE`;

interface By {
  personId: PersonId;
  now: number;
}
type Outcome = BulkResult['outcomes'][number];

const acknowledgementOf = ({ at: time, by, note }: LockedRow): Acknowledgement | null =>
  time === null ? null : { at: time, by, note };

async function lock(
  client: PoolClient,
  organisationId: OrganisationId,
  ids: readonly string[],
): Promise<Map<string, LockedRow>> {
  for (const text of LOCK_TRACKS) await client.query(text, [ids]);
  const { rows } = await client.query<LockedRow>(LOCK, [organisationId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** `note` of the history: what was written with the acknowledgement. */
async function setAcknowledgements(
  client: PoolClient,
  changes: readonly { alertId: string; after: Acknowledgement | null }[],
  by: By,
): Promise<void> {
  if (changes.length === 0) return;
  const ids = changes.map(({ alertId }) => alertId);
  const column = (read: (after: Acknowledgement) => unknown) => changes.map(({ after }) => after && read(after));
  await client.query(SET, [ids, column((a) => a.at), column((a) => a.by), column((a) => a.note)]);
  const kinds = changes.map(({ after }) => (after === null ? 'unacknowledged' : 'acknowledged'));
  await client.query(NOTE, [ids, kinds, column((a) => a.note), by.personId, by.now]);
}

interface Decided {
  outcomes: Outcome[];
  changes: BulkChange[];
}

async function acknowledge(
  client: PoolClient,
  found: ReadonlyMap<string, LockedRow>,
  operation: Extract<BulkOperation, { action: 'acknowledge' | 'unacknowledge' }>,
  by: By,
): Promise<Decided> {
  const changes: Extract<BulkChange, { after: unknown }>[] = [];
  const outcomes = operation.alertIds.map((alertId): Outcome => {
    const row = found.get(alertId);
    if (row === undefined) return { alertId, outcome: 'not_found', about: null };
    const { about } = row;
    if (row.isResolved) return { alertId, outcome: 'resolved', about };
    const before = acknowledgementOf(row);
    const decided = acknowledged(before, operation, by);
    if (decided.outcome === 'done') changes.push({ alertId, before, after: decided.after });
    return { alertId, outcome: decided.outcome, about };
  });
  await setAcknowledgements(client, changes, by);
  return { outcomes, changes };
}

/** Alerts that share their key share a silence. */
async function silence(
  client: PoolClient,
  organisationId: OrganisationId,
  found: ReadonlyMap<string, LockedRow>,
  operation: Extract<BulkOperation, { action: 'silence' }>,
  by: By,
): Promise<Decided> {
  const { startsAt, endsAt, comment } = operation;
  const rest = { tagKey: null, tagValue: null, metric: null, namespace: null };
  const made = new Map<string, string>();
  const changes: BulkChange[] = [];
  const outcomes: Outcome[] = [];
  for (const alertId of operation.alertIds) {
    const row = found.get(alertId);
    outcomes.push({ alertId, outcome: row === undefined ? 'not_found' : 'done', about: row?.about ?? null });
    if (row === undefined) continue;
    const { serverId, clusterId, rule, subject } = row;
    const key = JSON.stringify([serverId, clusterId, rule, subject]);
    const draft = { serverId, clusterId, rule, subject, startsAt, endsAt, comment, ...rest };
    const silenceId = made.get(key) ?? (await insertSilence(client, organisationId, draft, by)).id;
    made.set(key, silenceId);
    changes.push({ alertId, silenceId });
  }
  return { outcomes, changes };
}

/** Restores what still is as the operation left it. */
async function restore(
  client: PoolClient,
  organisationId: OrganisationId,
  changes: readonly BulkChange[],
  by: By,
): Promise<Outcome[]> {
  const found = await lock(
    client,
    organisationId,
    changes.map(({ alertId }) => alertId),
  );
  const silenceIds = changes.flatMap((change) => ('silenceId' in change ? [change.silenceId] : []));
  const { rows } = await client.query<{ id: string }>(UNTOUCHED, [organisationId, silenceIds]);
  const deleted = new Set(
    await deleteSilences(
      client,
      organisationId,
      rows.map(({ id }) => id),
      by,
    ),
  );
  const restored: { alertId: string; after: Acknowledgement | null }[] = [];
  const outcomes = changes.map((change): Outcome => {
    const { alertId } = change;
    const row = found.get(alertId);
    if (row === undefined) return { alertId, outcome: 'not_found', about: null };
    const { about } = row;
    const isUnchanged =
      'silenceId' in change ? deleted.has(change.silenceId) : isSame(acknowledgementOf(row), change.after);
    if (!isUnchanged) return { alertId, outcome: 'changed_since', about };
    if ('after' in change) restored.push({ alertId, after: change.before });
    return { alertId, outcome: 'done', about };
  });
  await setAcknowledgements(client, restored, by);
  return outcomes;
}

export const createAlertActions = ({ pool }: Database, outbox: AlertOutbox): AlertActions => ({
  run: ({ organisationId }, operation, { personId, now }) =>
    inTransaction(pool, async (client): Promise<BulkResult> => {
      const by = { personId, now };
      const found = await lock(client, organisationId, operation.alertIds);
      const { outcomes, changes } =
        operation.action === 'silence'
          ? await silence(client, organisationId, found, operation, by)
          : await acknowledge(client, found, operation, by);
      const operationId = randomUUID();
      await client.query(RECORD, [operationId, organisationId, operation.action, now, JSON.stringify(changes)]);
      return { operationId, action: operation.action, outcomes };
    }),
  undo: ({ organisationId }, operationId, { personId, now }) =>
    inTransaction(pool, async (client): Promise<UndoResult> => {
      if (!isUuid(operationId)) return 'not_found';
      const { rows } = await client.query<{
        action: BulkAction;
        at: number;
        isUndone: boolean;
        changes: BulkChange[];
      }>(FIND, [organisationId, operationId]);
      const [operation] = rows;
      if (operation === undefined) return 'not_found';
      if (operation.isUndone) return 'undone';
      if (now > undoUntil(operation.at)) return 'expired';
      const outcomes = await restore(client, organisationId, operation.changes, { personId, now });
      await client.query(UNDONE, [operationId, now]);
      if (operation.action === 'silence') await outbox.wakeHeld(client, organisationId, now);
      return { operationId, action: operation.action, outcomes };
    }),
});
