import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import type { Evidence } from './evidence.ts';

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Names what explains the symptoms. The same evidence gives the same answer. */
export function explain({ at, now, alerts }: Evidence): CauseAnswer {
  return {
    status: 'not_found',
    causes: [],
    victims: [],
    ruled_out: [],
    symptoms: alerts.length,
    at: iso(at),
    computed_at: iso(now),
  };
}
