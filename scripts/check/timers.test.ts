import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../lib/stamp.ts';

const TIMERS = /(?:AbortSignal\.timeout|\w\.setTimeout|\bsetTimeout|\bsetInterval)\(/g;
/** A length in the source itself: constants, numbers, and sums and products of them. */
const CONSTANT = /^[\d_A-Z]+(?: [*/+] [\d_A-Z]+)*$/;

/** Returns the texts of the arguments of the call whose first argument begins at `from`. */
function argumentsAt(source: string, from: number): string[] {
  const found = [''];
  let depth = 0;
  for (const character of source.slice(from)) {
    if (')]}'.includes(character) && depth-- === 0) break;
    if ('([{'.includes(character)) depth += 1;
    if (character === ',' && depth === 0) found.push('');
    else found.push(found.pop() + character);
  }
  return found.map((text) => text.trim()).filter((text) => text !== '');
}

/** Returns the lengths of timers that are neither a constant nor bounded by `timerMs`. */
function unboundedTimers(source: string): string[] {
  const unbounded: string[] = [];
  for (const { 0: call, index } of source.matchAll(TIMERS)) {
    const given = argumentsAt(source, index + call.length);
    const length = given[call.includes('.') ? 0 : 1] ?? '0';
    if (given.length > 0 && !CONSTANT.test(length) && !length.startsWith('timerMs('))
      unbounded.push(`${call}${length}`);
  }
  return unbounded;
}

test('the rule sees lengths that come from elsewhere', () => {
  expect(unboundedTimers('setTimeout(() => f(1, [2]), seconds * 1000)')).toEqual(['setTimeout(seconds * 1000']);
  expect(unboundedTimers('AbortSignal.timeout(ms); socket.setTimeout(idleMs, stop);')).toEqual([
    'AbortSignal.timeout(ms',
    't.setTimeout(idleMs',
  ]);
  expect(unboundedTimers('setInterval(beat, WAITING_MS / 2); setTimeout(done, timerMs(ms)); setTimeout(done)')).toEqual(
    [],
  );
});

// A timer beyond 2^31 − 1 ms fires at once, and a loop around it never rests.
test.each(
  globSync(['api/src/**/*.ts', 'api/contract/**/*.ts', 'collector/src/**/*.ts', 'scripts/start/*.ts'], { cwd: ROOT }),
)('%s has no timer whose length comes from elsewhere unbounded', (file) => {
  if (/\.test\.ts$|\/testing\/|\/generated\//.test(file)) return;
  expect(unboundedTimers(readFileSync(join(ROOT, file), 'utf8'))).toEqual([]);
});
