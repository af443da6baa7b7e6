import {
  acknowledgeAnswer,
  acknowledgeRequest,
  bulkAnswer,
  bulkRequest,
  type BulkAnswer,
  type BulkRequest,
} from '@plimsoll/contract/wire/alerts/alert-actions';
import { z } from 'zod';
import type { Owner } from '../../tenancy/owner.ts';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { acknowledgeAlert } from '../acting/acknowledge-alert.ts';
import { doneOf, undoUntil, type BulkOperation, type BulkResult } from '../acting/bulk-operation.ts';
import { changeAlerts } from '../acting/change-alerts.ts';
import { undoOperation } from '../acting/undo-operation.ts';
import { ActiveSilences } from '../silence-match.ts';
import { silencePeriod } from '../silences/silence-period.ts';
import type { AlertRecord } from '../types.ts';
import { shapeAlert } from './shape-alert.ts';

type AcknowledgeAnswer = z.input<typeof acknowledgeAnswer>;

const tag = 'Alerts';
const params = { id: z.uuid('must be an alert id (a UUID)').toLowerCase() };

export const alertActionRoutes = (deps: Deps): Route[] => [acknowledge(deps), unacknowledge(deps), bulk(deps)];

/** Returns the alert with its silence. */
async function shown({ storage, clock }: Deps, owner: Owner, alert: AlertRecord): Promise<AcknowledgeAnswer> {
  const now = clock.now();
  const silences = new ActiveSilences(await storage.silences.active(owner, now), now);
  return { alert: shapeAlert(alert, silences, now) };
}

const acknowledge = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/alerts/:id/acknowledge',
      actor: 'user',
      summary: 'Acknowledge an open alert, with a note: it is not repeated, but a higher level is still sent',
      audit: 'alert_acknowledged',
      tag,
      params,
      body: acknowledgeRequest,
      answer: acknowledgeAnswer,
    },
    async ({ actor, params: { id }, body }) => {
      const operation = { action: 'acknowledge' as const, note: noteOf(body?.note) };
      return shown(deps, actor.owner, await acknowledgeAlert(deps, actor, id, operation));
    },
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
      audit: 'alert_unacknowledged',
      tag,
      params,
      answer: acknowledgeAnswer,
    },
    async ({ actor, params: { id } }) =>
      shown(deps, actor.owner, await acknowledgeAlert(deps, actor, id, { action: 'unacknowledge' })),
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

function shapeResult(result: BulkResult, isUndone: boolean, now: number): BulkAnswer {
  return {
    operation_id: result.operationId,
    action: isUndone ? 'undo' : result.action,
    outcomes: result.outcomes.map(({ alertId, outcome }) => ({ alert_id: alertId, outcome })),
    done: doneOf(result).length,
    undo_until: isUndone ? null : iso(undoUntil(now)),
  };
}

const bulk = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/alerts/bulk',
      actor: 'user',
      summary: 'Acknowledge, unacknowledge or silence up to 1,000 alerts, or undo such an operation within 10 minutes',
      audit: ['alerts_acknowledged', 'alerts_unacknowledged', 'alerts_silenced', 'alerts_undone'],
      tag,
      body: bulkRequest,
      answer: bulkAnswer,
    },
    async ({ actor, body }) => {
      const now = deps.clock.now();
      const isUndo = body.action === 'undo';
      const result = isUndo
        ? await undoOperation(deps, actor, body.operation_id)
        : await changeAlerts(deps, actor, operationOf(body, now));
      return shapeResult(result, isUndo, now);
    },
  );
