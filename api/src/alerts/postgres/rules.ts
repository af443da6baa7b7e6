import { columnsOf } from '../rules/rule-columns.ts';
import type { AlertRule, RuleTarget } from '../types.ts';
import type { AlertRules } from '../store.ts';
import { isUuid, nullWhereMissing } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import type { AlertRule as AlertRuleRow } from '../../database/generated/client.ts';

const SECOND_MS = 1000;

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

export const createAlertRuleStore = ({ prisma }: Database): AlertRules => ({
  ofAccount: async (accountId) => {
    const rules = (await prisma.alertRule.findMany({ where: { accountId } })).map(ruleOf);
    if (!rules.some(({ target }) => target.kind === 'tag')) return { rules, tags: new Map() };
    const servers = await prisma.server.findMany({ where: { accountId }, select: { id: true, tags: true } });
    return { rules, tags: new Map(servers.map(({ id, tags }) => [id, tags as Record<string, string>])) };
  },
  list: async ({ accountId }, { limit, offset }) => {
    const where = { accountId };
    const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
    const [rows, total] = await Promise.all([
      prisma.alertRule.findMany({ where, orderBy, take: limit, skip: offset, include: WITH_OBJECT }),
      prisma.alertRule.count({ where }),
    ]);
    return { rules: rows.map(ruleOf), total };
  },
  countOwn: ({ accountId }) => prisma.alertRule.count({ where: { accountId, objectClusterKey: null } }),
  create: async ({ accountId }, draft, now) => {
    const at = new Date(now);
    return ruleOf(
      await prisma.alertRule.create({ data: { accountId, ...columnsOf(draft), createdAt: at, updatedAt: at } }),
    );
  },
  saveAll: async ({ accountId }, { created, changed }, now) => {
    const at = new Date(now);
    const creations = created.map((draft) =>
      prisma.alertRule.create({ data: { accountId, ...columnsOf(draft), createdAt: at, updatedAt: at } }),
    );
    const changes = changed.map(({ id, draft }) =>
      prisma.alertRule.update({
        where: { id, accountId, objectClusterKey: null },
        data: { ...columnsOf(draft), updatedAt: at },
      }),
    );
    const rows = await prisma.$transaction([...creations, ...changes]).catch(nullWhereMissing);
    return (
      rows && { created: rows.slice(0, created.length).map(ruleOf), changed: rows.slice(created.length).map(ruleOf) }
    );
  },
  get: async ({ accountId }, id) => {
    if (!isUuid(id)) return null;
    const row = await prisma.alertRule.findFirst({ where: { accountId, id }, include: WITH_OBJECT });
    return row && ruleOf(row);
  },
  update: async ({ accountId }, id, draft, now) => {
    if (!isUuid(id)) return null;
    const data = { ...columnsOf(draft), updatedAt: new Date(now) };
    const row = await prisma.alertRule
      .update({ where: { id, accountId, objectClusterKey: null }, data })
      .catch(nullWhereMissing);
    return row && ruleOf(row);
  },
  delete: async ({ accountId }, id) =>
    isUuid(id) && (await prisma.alertRule.deleteMany({ where: { accountId, id, objectClusterKey: null } })).count === 1,
});
