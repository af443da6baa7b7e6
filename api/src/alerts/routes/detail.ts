import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { alertDetailAnswer, type AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import type { AlertDeliveryState } from '@plimsoll/contract/rules/alert-acting';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { z } from 'zod';
import type { Owner } from '../../tenancy/owner.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { epochSeconds, iso, isoOrNull, rounded } from '../../http/units.ts';
import type { AlertDelivery, WaitingDelivery } from '../../notify/types.ts';
import { alertHistory, type HistoryEntry } from '../acting/alert-history.ts';
import { alertRuleWords } from '../rules/alert-rule-words.ts';
import { defaultRule } from '../rules/rules.ts';
import { ActiveSilences } from '../silence-match.ts';
import type { AlertRecord, RuleDraft } from '../types.ts';
import { shapeAlert } from './shape-alert.ts';
import { shapeBlackBox } from './shape-black-box.ts';

/** Shown on either side of the moment. */
const MARGIN_MS = 30 * MINUTE_MS;
/** A long alert is charted around its opening. */
const LONGEST_MS = 60 * MINUTE_MS;

type KnownRule = Pick<RuleDraft, 'metric' | 'forMs' | 'hysteresisPoints' | 'lines'>;

const isMetric = (name: string): name is KnownRule['metric'] => Object.hasOwn(ALERT_METRICS, name);

/** Returns the rule of an alert as it stands now; null: it was deleted, or the alert has none. */
async function ruleOf({ storage }: Deps, owner: Owner, { rule, metric }: AlertRecord): Promise<KnownRule | null> {
  if (!isMetric(metric)) return null;
  const fallback = defaultRule(metric);
  return rule === fallback.id ? fallback : storage.alertRules.get(owner, rule);
}

function shapeRule(alert: AlertRecord, rule: KnownRule | null): AlertDetailAnswer['rule'] {
  return {
    rule_id: alert.rule,
    is_default: alert.rule.startsWith('default-'),
    exists: rule !== null,
    text: rule === null ? alert.title : alertRuleWords(rule, alert.threshold),
  };
}

function shapeChart(alert: AlertRecord, rule: KnownRule | null, now: number): AlertDetailAnswer['chart'] {
  const { serverId, metric, subject, openedAt, resolvedAt, threshold } = alert;
  // No history of single objects of a cluster is stored.
  if (serverId === null) return null;
  const end = Math.min(resolvedAt ?? Infinity, openedAt + LONGEST_MS);
  const lines = rule?.lines.flatMap(({ level, threshold: line }) =>
    line === null ? [] : [{ level, threshold: line }],
  );
  return {
    server_id: serverId,
    metric,
    subject,
    from: epochSeconds(openedAt - MARGIN_MS - (rule?.forMs ?? 0)),
    to: epochSeconds(Math.min(now, end + MARGIN_MS)),
    line: rounded(threshold),
    lines: threshold === null ? [] : (lines ?? []),
    opened_at: epochSeconds(openedAt),
    resolved_at: resolvedAt === null ? null : epochSeconds(resolvedAt),
  };
}

/** The newest attempt per channel, and what still waits. */
function shapeDeliveries(
  tried: readonly AlertDelivery[],
  waiting: readonly WaitingDelivery[],
): AlertDetailAnswer['deliveries'] {
  const newest = new Map(tried.map((attempt) => [attempt.channelId, attempt]));
  const rows = new Map<string, AlertDetailAnswer['deliveries'][number]>();
  for (const { channelId, channelName, type, at, outcome, detail, attempt } of newest.values()) {
    const error = outcome === 'delivered' ? null : detail;
    const channel = { channel_id: channelId, channel_name: channelName, type };
    rows.set(channelId, { ...channel, state: outcome, at: iso(at), error, attempts: attempt });
  }
  for (const { channelId, channelName, type, dueAt, attempts } of waiting) {
    const state: AlertDeliveryState = attempts > 0 ? 'failed' : 'waiting';
    const error = attempts > 0 ? (newest.get(channelId)?.detail ?? null) : null;
    const channel = { channel_id: channelId, channel_name: channelName, type };
    rows.set(channelId, { ...channel, state, at: iso(dueAt), error, attempts });
  }
  return [...rows.values()];
}

const shapeEntry = ({ at, kind, by, note, level, until, channelName }: HistoryEntry) => ({
  at: iso(at),
  kind,
  by,
  note,
  level,
  until: isoOrNull(until),
  channel_name: channelName,
});

export const alertDetailRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/alerts/:id',
      actor: 'user',
      summary: 'One alert: its rule in words, the lists of its server as it opened, deliveries and history',
      tag: 'Alerts',
      params: { id: z.uuid('must be an alert id (a UUID)').toLowerCase() },
      answer: alertDetailAnswer,
    },
    async ({ actor, params: { id } }) => {
      const { storage, clock } = deps;
      const now = clock.now();
      const alert = await storage.alerts.get(actor.owner, id, now);
      if (alert === null) throw notFound('Alert');
      const [active, rule, details, deliveries] = await Promise.all([
        storage.silences.active(actor.owner, now),
        ruleOf(deps, actor.owner, alert),
        storage.alertDetails.of(actor.owner, alert, now),
        storage.alertDeliveries.of(actor.owner, id),
      ]);
      const { blackBox, events, silences } = details;
      const sources = { events, silences, deliveries: deliveries.tried };
      return {
        alert: shapeAlert(alert, new ActiveSilences(active, now), now),
        rule: shapeRule(alert, rule),
        chart: shapeChart(alert, rule, now),
        black_box: blackBox && shapeBlackBox(blackBox.box, blackBox.takenAt),
        black_box_note: blackBox === null ? 'Nothing was stored when this alert opened.' : null,
        deliveries: shapeDeliveries(deliveries.tried, deliveries.waiting),
        history: alertHistory(alert, sources, now).map(shapeEntry),
      };
    },
  ),
];
