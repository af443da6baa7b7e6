// SQL plans the periods of a maintenance as silences, in one statement: the index lets one of several replicas add each.
import { inTransaction, isUuid, type Database } from '../database/database.ts';
import type { Maintenance as MaintenanceRow } from '../database/generated/client.ts';
import { milliseconds as ms, timestamp as at } from '../database/time.ts';
import { organisationIdOf, personIdOf, type OrganisationId } from '../tenancy/ids.ts';
import type { HeldMessages, Maintenances } from './store.ts';
import type { Maintenance, MaintenanceDraft, MaintenanceSchedule, Period } from './types.ts';

const maintenanceOf = (row: MaintenanceRow): Maintenance => ({
  id: row.id,
  organisationId: organisationIdOf(row.organisationId),
  name: row.name,
  schedule: row.schedule as unknown as MaintenanceSchedule,
  zone: row.zone,
  durationSeconds: row.durationSeconds,
  lastDay: row.lastDay,
  serverIds: row.serverIds,
  checkIds: row.checkIds,
  clusterIds: row.clusterIds,
  createdAt: row.createdAt.getTime(),
  updatedAt: row.updatedAt.getTime(),
  createdBy: row.createdBy === null ? null : personIdOf(row.createdBy),
});

function columnsOf({ schedule, serverIds, checkIds, clusterIds, ...draft }: MaintenanceDraft, now: number) {
  const stored = schedule.kind === 'weekly' ? { ...schedule, weekdays: [...schedule.weekdays] } : { ...schedule };
  return {
    ...draft,
    schedule: stored,
    serverIds: [...serverIds],
    checkIds: [...checkIds],
    clusterIds: [...clusterIds],
    updatedAt: new Date(now),
  };
}

/** $1 maintenance  $2 now, ms */
const DROP_PLANNED = `DELETE FROM alert_silence WHERE maintenance_id = $1 AND starts_at > ${at('$2')}`;
const END_RUNNING = `UPDATE alert_silence SET ends_at = ${at('$2')}, updated_at = ${at('$2')}
  WHERE maintenance_id = $1 AND ends_at > ${at('$2')}`;
/** $1 account  $2 maintenance  $3 name  $4–$6 servers, checks and clusters  $7 starts  $8 ends, ms  $9 now, ms */
const PLAN = `INSERT INTO alert_silence (organisation_id, maintenance_id, comment, server_ids, check_ids, cluster_ids, starts_at,
    ends_at, created_at, updated_at)
  SELECT $1, $2, $3, $4, $5, $6, ${at('p."from"')}, ${at('p."to"')}, ${at('$9')}, ${at('$9')}
  FROM unnest($7::float8[], $8::float8[]) AS p("from", "to")
  ON CONFLICT (maintenance_id, starts_at) DO NOTHING`;
/** $1 maintenances  $2 now, ms  $3 most of each */
const PERIODS = `SELECT p.id, ${ms('p.starts_at')} AS "startsAt", ${ms('p.ends_at')} AS "endsAt"
  FROM unnest($1::uuid[]) AS m(id) CROSS JOIN LATERAL (
    SELECT q.maintenance_id AS id, q.starts_at, q.ends_at FROM alert_silence q
    WHERE q.maintenance_id = m.id AND q.deleted_at IS NULL AND q.ends_at > ${at('$2')} ORDER BY q.starts_at LIMIT $3) p
  ORDER BY p.starts_at`;

/** $1 account  $2 checks  $3 from, ms  $4 to, ms. As planned-maintenance.ts decides for a public page. */
const OF_CHECKS = `SELECT d.id, ${ms('q.starts_at')} AS "startsAt",
    ${ms(`LEAST(q.ends_at, COALESCE(q.deleted_at, 'infinity'))`)} AS "endsAt"
  FROM check_definition d LEFT JOIN server s ON s.id = d.server_id AND s.organisation_id = $1
    JOIN alert_silence q ON q.organisation_id = $1 AND q.ends_at > ${at('$3')} AND q.starts_at < ${at('$4')}
      AND (q.deleted_at IS NULL OR q.deleted_at > q.starts_at)
  WHERE d.organisation_id = $1 AND d.id = ANY($2::uuid[]) AND CASE WHEN q.maintenance_id IS NOT NULL
    THEN d.id = ANY(q.check_ids) OR s.id = ANY(q.server_ids) OR EXISTS (SELECT FROM cluster c JOIN kube_node n ON n.cluster_key = c.key
      WHERE c.organisation_id = $1 AND c.uid = ANY(q.cluster_ids) AND n.server_id = s.id)
    ELSE s.id IS NOT NULL AND (q.server_id = s.id OR q.server_id IS NULL AND q.tag_key IS NOT NULL)
      AND (q.tag_key IS NULL OR s.tags ? q.tag_key AND (q.tag_value IS NULL OR s.tags->>q.tag_key = q.tag_value))
      AND q.metric IS NULL AND q.rule IS NULL AND q.subject IS NULL AND q.cluster_id IS NULL AND q.namespace IS NULL
      AND q.starts_at - q.created_at >= interval '5 minutes' END
  ORDER BY q.starts_at`;

type PeriodRow = Period & { id: string };
function byId(rows: readonly PeriodRow[]): Map<string, Period[]> {
  const found = new Map<string, Period[]>();
  for (const { id, ...period } of rows) {
    const own = found.get(id) ?? [];
    found.set(id, own);
    own.push(period);
  }
  return found;
}

export const createMaintenanceStore = ({ pool, prisma }: Database, outbox: HeldMessages): Maintenances => {
  const find = (organisationId: OrganisationId, id: string) =>
    isUuid(id) ? prisma.maintenance.findFirst({ where: { id, organisationId } }) : null;
  return {
    list: async ({ organisationId }) => {
      const orderBy = [{ name: 'asc' }, { id: 'asc' }] as const;
      return (await prisma.maintenance.findMany({ where: { organisationId }, orderBy: [...orderBy] })).map(
        maintenanceOf,
      );
    },
    listAll: async () => (await prisma.maintenance.findMany({ orderBy: { id: 'asc' } })).map(maintenanceOf),
    count: ({ organisationId }) => prisma.maintenance.count({ where: { organisationId } }),
    get: async ({ organisationId }, id) => {
      const row = await find(organisationId, id);
      return row && maintenanceOf(row);
    },
    create: async ({ organisationId }, draft, createdBy, now) =>
      maintenanceOf(
        await prisma.maintenance.create({
          data: { ...columnsOf(draft, now), organisationId, createdBy, createdAt: new Date(now) },
        }),
      ),
    update: async ({ organisationId }, id, draft, now) => {
      if (!isUuid(id)) return null;
      const where = { id, organisationId };
      const { count } = await prisma.maintenance.updateMany({ where, data: columnsOf(draft, now) });
      if (count === 0) return null;
      await pool.query(DROP_PLANNED, [id, now]);
      const row = await find(organisationId, id);
      return row && maintenanceOf(row);
    },
    delete: async ({ organisationId }, id, now) => {
      if (!isUuid(id) || (await prisma.maintenance.deleteMany({ where: { id, organisationId } })).count === 0)
        return false;
      await inTransaction(pool, async (client) => {
        await client.query(DROP_PLANNED, [id, now]);
        const { rowCount } = await client.query(END_RUNNING, [id, now]);
        if ((rowCount ?? 0) > 0) await outbox.wakeHeld(client, organisationId, now);
      });
      return true;
    },
    plan: async ({ id, organisationId, name, serverIds, checkIds, clusterIds }, periods, now) => {
      if (periods.length === 0) return 0;
      const [starts, ends] = [periods.map(({ startsAt }) => startsAt), periods.map(({ endsAt }) => endsAt)];
      const values = [organisationId, id, name, serverIds, checkIds, clusterIds, starts, ends, now];
      return (await pool.query(PLAN, values)).rowCount ?? 0;
    },
    ofChecks: async ({ organisationId }, checkIds, { from, to }) =>
      byId((await pool.query<PeriodRow>(OF_CHECKS, [organisationId, checkIds, from, to])).rows),
    listPeriods: async (ids, now, most) => byId((await pool.query<PeriodRow>(PERIODS, [ids, now, most])).rows),
  };
};
