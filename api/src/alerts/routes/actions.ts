import {
  acknowledgeAnswer,
  acknowledgeRequest,
  bulkAnswer,
  bulkRequest,
  type BulkAnswer,
  type BulkRequest,
} from '@plimsoll/contract/wire/alert-actions';
import { SILENCE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { z } from 'zod';
import type { Owner } from '../../accounts/owner.ts';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import { audit, type AuditAction } from '../../http/audit.ts';
import { defineRoute, type Http, type Route, type SignedIn } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { undoUntil, type BulkOperation, type BulkResult } from '../acting/bulk-operation.ts';
import { ActiveSilences } from '../silence-match.ts';
import { silencePeriod } from '../silence-period.ts';
import { shapeAlert } from './shape-alert.ts';

const tag = 'Alerts';
const params = { id: z.uuid('must be an alert id (a UUID)').toLowerCase() };

export const alertActionRoutes = (deps: Deps): Route[] => [acknowledge(deps), unacknowledge(deps), bulk(deps)];

type Caller = { actor: SignedIn; http: Http };

/** Acknowledges one alert, or takes that back. An alert that already is so stays as it is. */
async function actOn(
  deps: Deps,
  { actor, http }: Caller,
  alertId: string,
  operation: { action: 'acknowledge'; note: string | null } | { action: 'unacknowledge' },
): Promise<z.input<typeof acknowledgeAnswer>> {
  const { storage, clock } = deps;
  const now = clock.now();
  const { outcomes } = await storage.alertActions.run(
    actor.owner,
    { ...operation, alertIds: [alertId] },
    { self: actor.self, now },
  );
  const outcome = outcomes[0]?.outcome;
  if (outcome === 'not_found') throw notFound('Alert');
  if (outcome === 'resolved')
    throw new CodedError('alert_resolved', 'The alert is resolved', { remedy: 'Reload the list of alerts.' });
  const alert = await storage.alerts.get(actor.owner, alertId, now);
  if (alert === null) throw notFound('Alert');
  if (outcome === 'done') {
    const action = operation.action === 'acknowledge' ? 'alert_acknowledged' : 'alert_unacknowledged';
    await audit(deps, http, actor.owner.accountId, action, {
      id: alertId,
      by: actor.accountId,
      hostname: alert.hostname,
      title: alert.title,
    });
    deps.changes.publish(actor.owner.accountId, { topic: 'alerts', serverId: alert.serverId });
  }
  const silences = new ActiveSilences(await storage.silences.active(actor.owner, now), now);
  return { alert: shapeAlert(alert, silences, now) };
}

const acknowledge = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/alerts/:id/acknowledge',
      actor: 'user',
      summary: 'Acknowledge an open alert, with a note: it is not repeated, but a higher level is still sent',
      tag,
      params,
      body: acknowledgeRequest,
      answer: acknowledgeAnswer,
    },
    ({ actor, http, params: { id }, body }) =>
      actOn(deps, { actor, http }, id, { action: 'acknowledge', note: noteOf(body?.note) }),
  );

/** An empty note is none. */
const noteOf = (note: string | null | undefined): string | null => note || null;

const unacknowledge = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/alerts/:id/unacknowledge',
      actor: 'user',
      summary: 'Take back the acknowledgement of an open alert',
      tag,
      params,
      answer: acknowledgeAnswer,
    },
    ({ actor, http, params: { id } }) => actOn(deps, { actor, http }, id, { action: 'unacknowledge' }),
  );

/** The fields of the body in the terms of the rule; an id that is named twice counts once. */
function operationOf(body: Exclude<BulkRequest, { action: 'undo' }>, now: number): BulkOperation {
  const alertIds = [...new Set(body.alert_ids)];
  if (body.action === 'acknowledge') return { action: 'acknowledge', alertIds, note: noteOf(body.note) };
  if (body.action === 'unacknowledge') return { action: 'unacknowledge', alertIds };
  const { ends_at: endsAt, duration_seconds: durationSeconds, comment } = body;
  const period = silencePeriod({ startsAt: undefined, endsAt, durationSeconds }, now);
  return { action: 'silence', alertIds, comment, ...period };
}

/** Throws `plan_limit`. */
export async function requireRoomForSilences(
  { storage }: Deps,
  owner: Owner,
  wanted: number,
  now: number,
): Promise<void> {
  const count = await storage.silences.count(owner, now);
  if (count + wanted > SILENCE_LIMITS.perAccount)
    throw new CodedError('plan_limit', `An account has at most ${String(SILENCE_LIMITS.perAccount)} silences`, {
      remedy: 'Delete silences, or use one with a tag or a metric in place of many.',
    });
}

const AUDITED: Record<BulkOperation['action'], AuditAction> = {
  acknowledge: 'alerts_acknowledged',
  unacknowledge: 'alerts_unacknowledged',
  silence: 'alerts_silenced',
};

function shapeResult({ operationId, action, outcomes }: BulkResult, undone: boolean, now: number): BulkAnswer {
  return {
    operation_id: operationId,
    action: undone ? 'undo' : action,
    outcomes: outcomes.map(({ alertId, outcome }) => ({ alert_id: alertId, outcome })),
    done: doneOf(outcomes),
    undo_until: undone ? null : iso(undoUntil(now)),
  };
}
const doneOf = (outcomes: BulkResult['outcomes']): number =>
  outcomes.filter(({ outcome }) => outcome === 'done').length;

const bulk = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/alerts/bulk',
      actor: 'user',
      summary: 'Acknowledge, unacknowledge or silence up to 500 alerts, or undo such an operation within 10 minutes',
      tag,
      body: bulkRequest,
      answer: bulkAnswer,
    },
    async ({ actor, http, body }) => {
      const now = deps.clock.now();
      const isUndo = body.action === 'undo';
      const result = isUndo
        ? await undo(deps, actor, body.operation_id, now)
        : await perform(deps, actor, operationOf(body, now), now);
      const { operationId, action, outcomes } = result;
      const done = String(doneOf(outcomes));
      await audit(deps, http, actor.owner.accountId, isUndo ? 'alerts_undone' : AUDITED[action], {
        id: operationId,
        by: actor.accountId,
        done,
      });
      deps.changes.publish(actor.owner.accountId, { topic: 'alerts', serverId: null });
      return shapeResult(result, isUndo, now);
    },
  );

async function perform(deps: Deps, actor: SignedIn, operation: BulkOperation, now: number): Promise<BulkResult> {
  if (operation.action === 'silence') await requireRoomForSilences(deps, actor.owner, operation.alertIds.length, now);
  return deps.storage.alertActions.run(actor.owner, operation, { self: actor.self, now });
}

async function undo({ storage }: Deps, actor: SignedIn, operationId: string, now: number): Promise<BulkResult> {
  const result = await storage.alertActions.undo(actor.owner, operationId, { self: actor.self, now });
  if (result === 'not_found') throw notFound('Operation');
  if (result === 'undone') throw new CodedError('operation_undone', 'The operation is already undone');
  if (result === 'expired')
    throw new CodedError('undo_expired', 'An operation can be undone for 10 minutes', {
      remedy: 'Change the alerts or delete the silences.',
    });
  return result;
}
