import { describe, expect, it } from 'vitest';
import { planFacts, pricingSentence } from './plan-words.ts';

const PLAN = { name: 'Free', usd_per_month: 0, servers: 3, history_days: 7, more: ['Chat alerts'] };

describe('the words of a plan', () => {
  it('name its servers and its history, then the rest', () => {
    expect(planFacts(PLAN)).toEqual(['Up to 3 servers', '7 days of history', 'Chat alerts']);
    expect(planFacts({ ...PLAN, servers: null, more: [] })).toEqual(['Unlimited servers', '7 days of history']);
  });

  it('of one server and one day have one of each', () => {
    expect(planFacts({ ...PLAN, servers: 1, history_days: 1, more: [] })).toEqual([
      'Up to 1 server',
      '1 day of history',
    ]);
  });

  it('do not promise an installation without limits where they are enforced', () => {
    expect(pricingSentence(true)).not.toContain('no limits');
    expect(pricingSentence(false)).toContain('no limits');
    expect(pricingSentence(undefined)).toBe(pricingSentence(false));
  });
});
