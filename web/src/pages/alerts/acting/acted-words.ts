import type { BulkAnswer } from '@plimsoll/contract/wire/alerts/alert-actions';
import { plural } from '../../../format/figures.ts';

const DONE = {
  acknowledge: 'acknowledged',
  unacknowledge: 'no longer acknowledged',
  silence: 'silenced',
  undo: 'restored',
};
const LEFT = {
  unchanged: 'already so',
  resolved: 'already resolved',
  not_found: 'not found',
  changed_since: 'changed by somebody since',
} as const;

/** "2 alerts acknowledged, 1 already resolved." */
export function actedWords({ action, done, outcomes }: BulkAnswer): string {
  const rest = Object.entries(LEFT).flatMap(([outcome, words]) => {
    const count = outcomes.filter((each) => each.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return [`${plural(done, 'alert')} ${DONE[action]}`, ...rest].join(', ');
}
