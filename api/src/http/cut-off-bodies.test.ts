import { expect, test } from 'vitest';
import { CutOffBodies } from './cut-off-bodies.ts';

const CONTEXT = { requestId: 'r', route: '/x' };
const cut = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

test('a thousand bodies that were cut off are two lines of the log in a second and a half', () => {
  const lines: unknown[] = [];
  const clock = { ms: 0, now: () => clock.ms };
  const bodies = new CutOffBodies({ info: (line: unknown) => lines.push(line) } as never, clock);
  for (let n = 0; n < 1000; n += 1) {
    clock.ms = n * 1.5;
    expect(bodies.explain(cut, true, CONTEXT)).toMatchObject({ code: 'body_cut_off' });
  }
  expect(lines).toEqual([
    { ...CONTEXT, suppressed: 0 },
    { ...CONTEXT, suppressed: 666 },
  ]);
});

test.each([
  ['the client is there', cut, false],
  ['the failure is another', new Error('broken'), true],
])('it explains nothing where %s', (_, error, isGone) => {
  const bodies = new CutOffBodies({ info: () => undefined } as never, { now: () => 0 });
  expect(bodies.explain(error, isGone, CONTEXT)).toBeNull();
});
