import { expect, test } from 'vitest';
import { type Found, problemsOf, type Sample, type Truth } from './judge.ts';

const SECOND = 1000;
const LINGER = 60 * SECOND;
const truth = (from: number, to: number | null, isSeen = true): Truth => ({
  from: from * SECOND,
  to: to === null ? null : to * SECOND,
  isSeen,
});
const down = (began: number, ended: number | null): Found => ({
  kind: 'down',
  began: began * SECOND,
  ended: ended === null ? null : ended * SECOND,
});
const sample = (at: number, status: string, reason: string | null = 'silent'): Sample => ({
  at: at * SECOND,
  status,
  needed: 2,
  votes: [{ vote: 'none', reason }],
});
const problems = (truths: Truth[], outages: Found[], samples: Sample[] = []) =>
  problemsOf('shop', { truths, outages, samples }, LINGER);

test('an outage that was true and found is no problem, nor is time that is unknown', () => {
  expect(problems([truth(100, 140)], [down(115, 160), { kind: 'unknown', began: 0, ended: 9000 }])).toEqual([]);
  expect(problems([truth(100, null)], [down(115, null)], [sample(130, 'down')])).toEqual([]);
});

test('an outage that too few places could see need not be found', () => {
  expect(problems([truth(100, 140, false)], [])).toEqual([]);
});

test.each([
  ['a false outage began', problems([truth(100, 140)], [down(115, 160), down(300, 320)])],
  ['long after its target was good', problems([truth(100, 140)], [down(115, 300)])],
  ['was missed', problems([truth(100, 140)], [])],
  ['said down while', problems([truth(100, 140)], [down(115, 160)], [sample(90, 'down')])],
  ['a gap without a reason', problems([], [], [sample(90, 'up', null)])],
])('%s is a problem', (words, found) => {
  expect(found).toEqual([expect.stringContaining(words)]);
});
