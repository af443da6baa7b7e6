import { expect, test } from 'vitest';
import { TestClock } from '../testing/app.ts';
import { SharedMachineIds } from './shared-machine-ids.ts';

test('reads the names once a minute, and answers with none where they cannot be read', async () => {
  const clock = new TestClock();
  const answers = [new Map([[1, ['ct102']]]), new Error('the database is away'), new Map([[1, ['ct103']]])];
  let reads = 0;
  const shared = new SharedMachineIds(async () => {
    const answer = answers[reads];
    reads += 1;
    if (answer instanceof Map) return answer;
    throw answer;
  }, clock);
  expect([await shared.of(1), await shared.of(2)]).toEqual([['ct102'], []]);
  clock.pass(59.9);
  expect([await shared.of(1), reads]).toEqual([['ct102'], 1]);
  clock.pass(0.1);
  expect([await shared.of(1), reads]).toEqual([[], 2]);
  clock.pass(60);
  expect([await shared.of(1), reads]).toEqual([['ct103'], 3]);
});
