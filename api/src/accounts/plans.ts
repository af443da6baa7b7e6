import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { CodedError } from '../errors.ts';

export interface Plan {
  name: string;
  /** null: unlimited. */
  servers: number | null;
  historyDays: number;
  usdPerMonth: number;
  /** Further lines of the landing page; nothing here limits them. */
  more: readonly string[];
}
/** As the landing page lists them, the smallest first. */
export const PLANS = {
  free: { name: 'Free', usdPerMonth: 0, servers: 3, historyDays: 7, more: ['Basic metrics', 'Chat alerts'] },
  pro: {
    name: 'Pro',
    usdPerMonth: 9,
    servers: 25,
    historyDays: 30,
    more: ['All metrics plus AI analysis', 'Priority support'],
  },
  business: {
    name: 'Business',
    usdPerMonth: 29,
    servers: null,
    historyDays: 90,
    more: ['Team collaboration', 'Custom webhooks', '99.9% SLA'],
  },
} as const satisfies Record<string, Plan>;
type PlanId = keyof typeof PLANS;

/** The plan that limits everyone on this installation; null: no limit. */
export type PlanInForce = PlanId | null;

/** Throws `plan_limit` naming the limit and the remedy. */
export function requireHistory(plan: PlanInForce, days: number): void {
  const limit = plan && PLANS[plan];
  if (!limit || days <= limit.historyDays) return;
  throw new CodedError('plan_limit', `history: at most ${String(limit.historyDays)} days on ${limit.name}`, {
    field: 'history',
    remedy: `Choose ${String(limit.historyDays)} days or less, or move to a larger plan.`,
  });
}

/** Returns how many of `days` the plan shows. */
export const shownDays = (plan: PlanInForce, days: number): number =>
  plan === null ? days : Math.min(days, PLANS[plan].historyDays);

/** Returns the start of the history that the plan shows, epoch ms; undefined: no limit. */
export const shownSince = (plan: PlanInForce, now: number): number | undefined =>
  plan === null ? undefined : now - PLANS[plan].historyDays * DAY_MS;

/** Days that history stays after the plan hides it, so that a move to a larger plan within a week shows it again. */
const HIDDEN_DAYS = 7;

/** Returns after how many days all history but that of alerts is deleted; null: no limit. */
export const keptDays = (plan: PlanInForce): number | null =>
  plan === null ? null : PLANS[plan].historyDays + HIDDEN_DAYS;

/** `known`: servers of the account before the one that enrols. */
export function requireServers(plan: PlanInForce, known: number): void {
  const limit = plan && PLANS[plan];
  if (!limit || limit.servers === null || known < limit.servers) return;
  throw new CodedError('plan_limit', `servers: at most ${String(limit.servers)} on ${limit.name}`, {
    field: 'servers',
    remedy: 'Delete a server, or move to a larger plan.',
  });
}
