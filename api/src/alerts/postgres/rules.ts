import { SECOND_MS } from '@plimsoll/contract/rules/durations';
import { randomUUID } from 'node:crypto';
import type { HiddenPart } from '@plimsoll/contract/wire/hidden-parts';
import { columnsOf } from '../rules/rule-columns.ts';
import type { AlertRule, RuleTarget } from '../types.ts';
import type { AlertRules } from '../store.ts';
import { isUuid, nullWhereMissing } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import type { AlertRule as AlertRuleRow } from '../../database/generated/client.ts';
import { withModels } from '../../database/transaction.ts';
import { createObjectRules } from './object-rules.ts';

/** Milliseconds outside of a verb. Prisma's 5 s are too few for 500 rules on a busy machine. */
const SAVE_ALL = { timeout: 60_000, maxWait: 5000 };

function targetOf(row: AlertRuleRow): RuleTarget {
  const { target, serverId, tagKey, tagValue, mount } = row;
  if (target === 'server' && serverId !== null) return { kind: 'server', serverId };
  if (target === 'tag' && tagKey !== null) return { kind: 'tag', key: tagKey, value: tagValue };
  if (target === 'mount' && mount !== null) return { kind: 'mount', mount, serverId };
  const { clusterId, namespace, workload, workloadKind } = row;
  if (target === 'cluster' && clusterId !== null) return { kind: 'cluster', clusterId };
  if (target === 'namespace' && namespace !== null) return { kind: 'namespace', namespace, clusterId };
  if (target === 'workload' && namespace !== null && workload !== null)
    return { kind: 'workload', namespace, workload, workloadKind, clusterId };
  if (target === 'all') return { kind: 'all' };
  throw new Error(`alert_rule ${row.id}: its columns do not fit the target ${target}`);
}

interface RuleRow extends AlertRuleRow {
  objectCluster?: { uid: string; name: string | null } | null;
}
const WITH_OBJECT = { objectCluster: { select: { uid: true, name: true } } } as const;

const objectOf = ({ objectCluster, objectNamespace, objectName }: RuleRow): AlertRule['object'] =>
  objectCluster == null || objectNamespace === null || objectName === null
    ? null
    : { clusterId: objectCluster.uid, clusterName: objectCluster.name, namespace: objectNamespace, name: objectName };

const ruleOf = (row: RuleRow): AlertRule => ({
  id: row.id,
  object: objectOf(row),
  metric: row.metric as AlertRule['metric'],
  target: targetOf(row),
  lines: row.lines as unknown as AlertRule['lines'],
  forMs: row.forSeconds * SECOND_MS,
  keepFiringForMs: row.keepFiringForSeconds * SECOND_MS,
  hysteresisPoints: row.hysteresisPoints,
  enabled: row.enabled,
  createdAt: row.createdAt.getTime(),
  updatedAt: row.updatedAt.getTime(),
});

const hiddenOf = (row: { kind: string; subject: string; server: { id: string } }) => ({
  kind: row.kind as HiddenPart['kind'],
  subject: row.subject,
  serverId: row.server.id,
});

export const createAlertRuleStore = (database: Database): AlertRules => {
  const { pool, prisma } = database;
  return {
    ofObjects: createObjectRules(pool),
    ofAccount: async (organisationId) => {
      const [rows, parts] = await Promise.all([
        prisma.alertRule.findMany({ where: { organisationId } }),
        prisma.hiddenPart.findMany({
          where: { server: { organisationId } },
          select: { kind: true, subject: true, server: { select: { id: true } } },
        }),
      ]);
      const rules = rows.map(ruleOf);
      const hidden = Map.groupBy(parts.map(hiddenOf), ({ serverId }) => serverId);
      if (!rules.some(({ target }) => target.kind === 'tag')) return { rules, tags: new Map(), hidden };
      const servers = await prisma.server.findMany({ where: { organisationId }, select: { id: true, tags: true } });
      return { rules, tags: new Map(servers.map(({ id, tags }) => [id, tags as Record<string, string>])), hidden };
    },
    list: async ({ organisationId }, { limit, offset }) => {
      const where = { organisationId };
      const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
      const [rows, total] = await Promise.all([
        prisma.alertRule.findMany({ where, orderBy, take: limit, skip: offset, include: WITH_OBJECT }),
        prisma.alertRule.count({ where }),
      ]);
      return { rules: rows.map(ruleOf), total };
    },
    countOwn: ({ organisationId }) => prisma.alertRule.count({ where: { organisationId, objectClusterKey: null } }),
    create: async ({ organisationId }, draft, now) => {
      const at = new Date(now);
      return ruleOf(
        await prisma.alertRule.create({ data: { organisationId, ...columnsOf(draft), createdAt: at, updatedAt: at } }),
      );
    },
    saveAll: async ({ organisationId }, { created, changed }, now) => {
      const at = new Date(now);
      const save = async (transaction: Parameters<Parameters<typeof withModels>[1]>[0]) => {
        const data = created.map((draft) => {
          return { id: randomUUID(), organisationId, ...columnsOf(draft), createdAt: at, updatedAt: at };
        });
        const made = new Map(
          (await transaction.alertRule.createManyAndReturn({ data })).map((row) => [row.id, ruleOf(row)]),
        );
        const rows: RuleRow[] = [];
        for (const { id, draft } of changed) {
          const where = { id, organisationId, objectClusterKey: null };
          rows.push(await transaction.alertRule.update({ where, data: { ...columnsOf(draft), updatedAt: at } }));
        }
        return {
          // PostgreSQL returns the new rows in any order.
          created: data.flatMap(({ id }) => made.get(id) ?? []),
          changed: rows.map(ruleOf),
        };
      };
      return withModels(database, save, SAVE_ALL).catch(nullWhereMissing);
    },
    get: async ({ organisationId }, id) => {
      if (!isUuid(id)) return null;
      const row = await prisma.alertRule.findFirst({ where: { organisationId, id }, include: WITH_OBJECT });
      return row && ruleOf(row);
    },
    update: async ({ organisationId }, id, draft, now) => {
      if (!isUuid(id)) return null;
      const data = { ...columnsOf(draft), updatedAt: new Date(now) };
      const row = await prisma.alertRule
        .update({ where: { id, organisationId, objectClusterKey: null }, data })
        .catch(nullWhereMissing);
      return row && ruleOf(row);
    },
    delete: async ({ organisationId }, id) =>
      isUuid(id) &&
      (await prisma.alertRule.deleteMany({ where: { organisationId, id, objectClusterKey: null } })).count === 1,
  };
};
