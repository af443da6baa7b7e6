import { describe, expect, it } from 'vitest';
import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import { guiltyChange, type Replay, replayedSection, withReplayed } from './replayed.ts';

const answer = (...ids: (string | null)[]): CauseAnswer =>
  ({ causes: ids.map((change_id) => ({ change_id })) }) as unknown as CauseAnswer;
const entry = (id: string, kind: string, name: string) => ({ id, kind, name });
const replayOf = (answers: CauseAnswer[], more: Partial<Replay['recording']> = {}, score = 1): Replay => ({
  recording: {
    incident: 'service-missing',
    namespace: 'shop-1',
    causes: [{ entities: [], mechanism: 'gone', change: { kind: 'Service', name: 'orders' } }],
    evidence: [
      {
        changes: [
          entry('1', 'Service', 'orders'),
          entry('2', 'Deployment', 'front'),
          entry('3', 'EndpointSlice', 'front-x'),
        ],
      },
    ],
    ...more,
  },
  answers,
  score,
});

describe('the guilty change', () => {
  it.each([
    ['is first in every answer', [answer('1'), answer(null, '1')], true],
    ['is not first where a decoy is', [answer('1'), answer('2', '1')], false],
    ['is not first where no answer names a change', [answer(null)], false],
  ])('%s', (_, answers, isFirst) => {
    // A consequence of a change is no decoy.
    expect(guiltyChange(replayOf(answers))).toEqual({ isFirst, beside: 1 });
  });

  it('is not asked for without one, and without a decoy', () => {
    expect(guiltyChange(replayOf([answer('1')], { causes: [] }))).toBeNull();
    expect(
      guiltyChange(replayOf([answer('1')], { evidence: [{ changes: [entry('1', 'Service', 'orders')] }] })),
    ).toBeNull();
  });
});

it('the section counts each group, and names what is missed', () => {
  const text = replayedSection([
    replayOf([answer('1')]),
    replayOf([answer('2')], { incident: 'other' }, 0.5),
    replayOf([], { incident: 'host', namespace: null, causes: [] }),
  ]);
  expect(text).toContain('| faults in the cluster | 2 | 0.75 | 1 of 2 | 1 |');
  expect(text).toContain('| faults of hosts | 1 | 1.00 | N/A | N/A |');
  expect(text).toContain('| with two causes | 0 | N/A | N/A | N/A |');
  expect(text).toContain('Not in other.');
  expect(text).toContain('**Score below 1**: other 0.50.');
});

it('the section replaces the one before, and nothing else', () => {
  const first = withReplayed('# A\n\n## Faults in the cluster\n\nrows\n', '## Replayed with this checkout\n\nold\n');
  const second = withReplayed(first, '## Replayed with this checkout\n\nnew\n');
  expect(second).toBe('# A\n\n## Replayed with this checkout\n\nnew\n\n## Faults in the cluster\n\nrows\n');
  expect(() => withReplayed('# A', 'x')).toThrow('no section');
});
