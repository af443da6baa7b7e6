import { retention, retentionAnswer, type RetentionAnswer } from '@plimsoll/contract/wire/accounts/account';
import type { Deps } from '../../deps.ts';
import { shownDays, type PlanInForce } from '../plans.ts';
import { changeRetention } from '../settings/change-retention.ts';
import { resetRetention } from '../settings/reset-retention.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import type { Retention } from '../types.ts';

const tag = 'Account';
const path = '/api/user/retention-settings';
/** Days that the privacy page promises. */
const DEFAULT_RETENTION: Retention = { metrics: 365, alerts: 730, events: 365, processes: 14 };

const shape = (kept: Retention | null, plan: PlanInForce): RetentionAnswer => {
  const { metrics, alerts, events, processes } = kept ?? DEFAULT_RETENTION;
  return {
    settings: {
      metrics_days: shownDays(plan, metrics),
      alerts_days: alerts,
      events_days: shownDays(plan, events),
      processes_days: shownDays(plan, processes),
    },
    is_default: kept === null,
  };
};

export const retentionRoutes = (deps: Deps): Route[] => {
  const { retention: settings } = deps.storage.identity;
  return [
    defineRoute(
      {
        method: 'GET',
        path,
        actor: 'user',
        summary: 'Returns the retention times of your data',
        tag,
        answer: retentionAnswer,
      },
      async ({ actor }) => shape(await settings.get(actor.owner), deps.config.planLimits),
    ),
    defineRoute(
      {
        method: 'PUT',
        path,
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary: 'Shortens retention; the next prune deletes older data within one hour',
        audit: 'retention_changed',
        tag,
        body: retention,
        answer: retentionAnswer,
      },
      async ({ actor, body }) => {
        const kept: Retention = {
          metrics: body.metrics_days,
          alerts: body.alerts_days,
          events: body.events_days,
          processes: body.processes_days,
        };
        await changeRetention(deps, actor, kept);
        return shape(kept, deps.config.planLimits);
      },
    ),
    defineRoute(
      {
        method: 'POST',
        path: `${path}/reset`,
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary: 'Resets retention to the defaults',
        audit: 'retention_changed',
        tag,
        answer: retentionAnswer,
      },
      async ({ actor }) => {
        await resetRetention(deps, actor);
        return shape(null, deps.config.planLimits);
      },
    ),
  ];
};
