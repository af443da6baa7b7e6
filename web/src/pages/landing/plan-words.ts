import type { Plan } from '@plimsoll/contract/wire/accounts/plans';
import { plural } from '../../format/figures.ts';

/** Returns the facts of a plan, one line each: servers, history, the rest. */
export const planFacts = ({ servers, history_days: days, more }: Plan): string[] => [
  servers === null ? 'Unlimited servers' : `Up to ${plural(servers, 'server')}`,
  `${plural(days, 'day')} of history`,
  ...more,
];

/** Returns the sentence before the plans; undefined: it is not known if this installation enforces them. */
export function pricingSentence(enforced: boolean | undefined): string {
  if (enforced === true) return 'This installation limits accounts to the servers and history of their plan.';
  return 'Your own installation has no limits and costs nothing. Plans apply when somebody else runs it for you.';
}
