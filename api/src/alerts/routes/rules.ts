import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { ALERT_RULE_LIMITS } from '@plimsoll/contract/rules/alert-rule-limits';
import {
  alertRuleAnswer,
  alertRuleRequest,
  alertRulesAnswer,
  rehearseAnswer,
  rehearseRequest,
  type AlertRuleOnWire,
  type RehearseAnswer,
} from '@plimsoll/contract/wire/alert-rules';
import { page } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Owner } from '../../accounts/owner.ts';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import { requireServer } from '../../series/range.ts';
import { refuseManaged, shapeObject } from '../../kubernetes/managed-object.ts';
import { draftOf } from '../rules/rule-draft.ts';
import type { ExportedRule } from '../prometheus/export-rules.ts';
import { missingHistoryOf, rehearseRule, type RuleRehearsal } from '../rehearsal/rehearse-rule.ts';
import { DEFAULT_DRAFTS } from '../rules/rules.ts';
import { ruleText } from '../rules/rule-text.ts';
import type { AlertRule, RuleDraft } from '../types.ts';
import { exportRules, importRules } from './rule-files.ts';
import { applyChange, isRewritten } from './rule-changes.ts';

const tag = 'Alerts';
const path = '/api/alerts/rules';
const MOST_MOMENTS = 100;
const shapeRule = (
  rule: ExportedRule & Partial<Pick<AlertRule, 'createdAt' | 'updatedAt' | 'object'>>,
): AlertRuleOnWire => ({
  rule_id: rule.id,
  is_default: rule.createdAt === undefined,
  metric: rule.metric,
  target: rule.target.kind,
  server_id: 'serverId' in rule.target ? rule.target.serverId : null,
  tag_key: rule.target.kind === 'tag' ? rule.target.key : null,
  tag_value: rule.target.kind === 'tag' ? rule.target.value : null,
  mount: rule.target.kind === 'mount' ? rule.target.mount : null,
  cluster_id: 'clusterId' in rule.target ? rule.target.clusterId : null,
  namespace: 'namespace' in rule.target ? rule.target.namespace : null,
  workload_kind: rule.target.kind === 'workload' ? rule.target.workloadKind : null,
  workload: rule.target.kind === 'workload' ? rule.target.workload : null,
  unit: ALERT_METRICS[rule.metric].unit,
  lines: rule.lines.map(({ level, threshold }) => ({ level, threshold })),
  for_seconds: rule.forMs / 1000,
  keep_firing_for_seconds: rule.keepFiringForMs / 1000,
  hysteresis_points: rule.hysteresisPoints,
  enabled: rule.enabled,
  text: ruleText(rule),
  created_at: isoOrNull(rule.createdAt ?? null),
  updated_at: isoOrNull(rule.updatedAt ?? null),
  object: shapeObject('AlertRule', rule.object ?? null),
});

/** A rule that names a server or cluster of another account answers as one that names an unknown one. */
async function requireTarget({ storage }: Deps, owner: Owner, { target }: RuleDraft): Promise<void> {
  const serverId = 'serverId' in target ? target.serverId : null;
  if (serverId !== null) await requireServer(storage.servers, owner, serverId);
  const clusterId = 'clusterId' in target ? target.clusterId : null;
  if (clusterId !== null) await storage.kubernetes.views.clusterStates({ owner, clusterId });
}

export const alertRuleRoutes = (deps: Deps): Route[] => [
  listRules(deps),
  createRule(deps),
  rehearsal(deps),
  exportRules(deps),
  importRules(deps),
  updateRule(deps),
  deleteRule(deps),
];

const listRules = ({ storage }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Your alert rules, oldest first, and the default rules they override',
      tag,
      query: page(),
      answer: alertRulesAnswer,
    },
    async ({ actor, query }) => {
      const { rules, total } = await storage.alertRules.list(actor.owner, query);
      return { rules: rules.map(shapeRule), total, defaults: DEFAULT_DRAFTS.map(shapeRule) };
    },
  );

const createRule = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'Create an alert rule; it overrides less specific rules of its metric',
      tag,
      body: alertRuleRequest,
      answer: alertRuleAnswer,
    },
    async ({ actor, body, http }) => {
      const { alertRules } = deps.storage;
      const draft = draftOf(body);
      await requireTarget(deps, actor.owner, draft);
      const total = await alertRules.countOwn(actor.owner);
      if (total >= ALERT_RULE_LIMITS.perAccount)
        throw new CodedError('invalid_parameter', `metric: this account has ${String(total)} rules, no more fit`, {
          field: 'metric',
          remedy: 'Delete a rule, or use one rule with a tag for several servers.',
        });
      const rule = await alertRules.create(actor.owner, draft, deps.clock.now());
      await applyChange(deps, { actor, http }, { action: 'alert_rule_created', rule });
      return { rule: shapeRule(rule) };
    },
  );

const updateRule = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Replace an alert rule; open alerts that it no longer covers are resolved',
      tag,
      params: { id: z.uuid('must be the id of a rule (a UUID)') },
      body: alertRuleRequest,
      answer: alertRuleAnswer,
    },
    async ({ actor, params, body, http }) => {
      const { alertRules } = deps.storage;
      const draft = draftOf(body);
      const before = await alertRules.get(actor.owner, params.id);
      if (before === null) throw notFound('Rule');
      refuseManaged('AlertRule', before.object);
      await requireTarget(deps, actor.owner, draft);
      const rule = await alertRules.update(actor.owner, params.id, draft, deps.clock.now());
      if (rule === null) throw notFound('Rule');
      const change = { action: 'alert_rule_changed', rule, isRewritten: isRewritten(before, rule) } as const;
      await applyChange(deps, { actor, http }, change);
      return { rule: shapeRule(rule) };
    },
  );

const deleteRule = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Delete an alert rule and resolve its open alerts',
      tag,
      params: { id: z.uuid('must be the id of a rule (a UUID)') },
      answer: z.object({}),
    },
    async ({ actor, params, http }) => {
      const { alertRules } = deps.storage;
      const rule = await alertRules.get(actor.owner, params.id);
      refuseManaged('AlertRule', rule?.object ?? null);
      if (rule === null || !(await alertRules.delete(actor.owner, params.id))) throw notFound('Rule');
      await applyChange(deps, { actor, http }, { action: 'alert_rule_deleted', rule });
      return {};
    },
  );

const rehearsal = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: `${path}/rehearse`,
      actor: 'user',
      scope: 'read',
      role: 'viewer',
      summary: 'Returns when a rule would have fired over the stored history, and how many messages it would have sent',
      tag,
      body: rehearseRequest,
      answer: rehearseAnswer,
    },
    async ({ actor, body }) => {
      const { days, ...written } = body;
      const draft = draftOf(written);
      await requireTarget(deps, actor.owner, draft);
      return shapeRehearsal(
        draft,
        days,
        await rehearseRule(deps.storage, actor.owner, { draft, days }, deps.clock.now()),
      );
    },
  );

const counted = (count: number, one: string): string => `${String(count)} ${count === 1 ? one : `${one}s`}`;

/** The differences between a rehearsal and the rule. */
const DIFFERENCE: Partial<Record<RuleDraft['metric'], string>> = {
  disk_usage: 'The history holds the fullest filesystem of a server. The rule fires for each filesystem.',
  load_per_core: 'The number of cores is that of today: its history is not stored.',
};

function shapeRehearsal(draft: RuleDraft, days: number, found: RuleRehearsal | null): RehearseAnswer {
  if (found === null || found.source === null) {
    const note =
      found === null
        ? (missingHistoryOf(draft) ?? 'No history is stored.')
        : 'No values of the servers that this rule targets are stored.';
    const nothing = { fired: null, messages: null, source: null, moments: [] };
    return { text: `No rehearsal: ${note}`, note, days, servers: found?.servers ?? 0, ...nothing };
  }
  const { alerts, messages, servers, source } = found;
  const newest = alerts.toSorted((a, b) => b.firedAt - a.firedAt).slice(0, MOST_MOMENTS);
  const fired = `fired ${counted(alerts.length, 'time')} and sent ${counted(messages, 'message')}`;
  return {
    text: `In the last ${counted(days, 'day')} this rule would have ${fired}.`,
    fired: alerts.length,
    messages,
    note: DIFFERENCE[draft.metric] ?? null,
    source,
    servers,
    days,
    moments: newest.map(({ serverId, hostname, level, firedAt, resolvedAt }) => ({
      server_id: serverId,
      hostname,
      level,
      fired_at: iso(firedAt),
      resolved_at: isoOrNull(resolvedAt),
    })),
  };
}
