import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
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
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import { shapeObject } from '../../kubernetes/managed-object.ts';
import { createRule } from '../rules/create-rule.ts';
import { deleteRule } from '../rules/delete-rule.ts';
import { draftOf } from '../rules/rule-draft.ts';
import { requireTarget } from '../rules/rule-target.ts';
import { updateRule } from '../rules/update-rule.ts';
import type { ExportedRule } from '../prometheus/export-rules.ts';
import { missingHistoryOf, rehearseRule, type RuleRehearsal } from '../rehearsal/rehearse-rule.ts';
import { DEFAULT_DRAFTS } from '../rules/rules.ts';
import { ruleText } from '../rules/rule-text.ts';
import type { AlertRule, RuleDraft } from '../types.ts';
import { exportRules, importFile } from './rule-files.ts';

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

export const alertRuleRoutes = (deps: Deps): Route[] => [
  listRules(deps),
  create(deps),
  rehearsal(deps),
  exportRules(deps),
  importFile(deps),
  update(deps),
  remove(deps),
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

const create = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'Create an alert rule; it overrides less specific rules of its metric',
      audit: 'alert_rule_created',
      tag,
      body: alertRuleRequest,
      answer: alertRuleAnswer,
    },
    async ({ actor, body }) => ({ rule: shapeRule(await createRule(deps, actor, draftOf(body))) }),
  );

const update = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Replace an alert rule; open alerts that it no longer covers are resolved',
      audit: 'alert_rule_changed',
      tag,
      params: { id: z.uuid('must be the id of a rule (a UUID)') },
      body: alertRuleRequest,
      answer: alertRuleAnswer,
    },
    async ({ actor, params, body }) => ({ rule: shapeRule(await updateRule(deps, actor, params.id, draftOf(body))) }),
  );

const remove = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Delete an alert rule and resolve its open alerts',
      audit: 'alert_rule_deleted',
      tag,
      params: { id: z.uuid('must be the id of a rule (a UUID)') },
      answer: z.object({}),
    },
    async ({ actor, params }) => {
      await deleteRule(deps, actor, params.id);
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
      audit: null,
      notAudited: 'The call changes nothing.',
      tag,
      body: rehearseRequest,
      answer: rehearseAnswer,
    },
    async ({ actor, body }) => {
      const { days, ...written } = body;
      const draft = draftOf(written);
      await requireTarget(deps.storage, actor.owner, draft.target);
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
