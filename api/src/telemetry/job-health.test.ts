import { expect, it } from 'vitest';
import { isFailing, JobHealth } from './job-health.ts';

const setup = () => {
  const clock = { ms: 1000, now: () => clock.ms };
  return { clock, health: new JobHealth(clock) };
};

it('keeps the last success, the last failure and its code of each job', () => {
  const { clock, health } = setup();
  health.record('rollup', 'ok');
  health.record('prune', 'failed', new TypeError('no such thing'));
  clock.ms = 2000;
  health.record('rollup', 'failed', Object.assign(new Error('value of a tenant'), { code: '22003' }));
  expect(health.list()).toEqual([
    { name: 'rollup', lastSuccessAt: 1000, lastFailureAt: 2000, lastErrorCode: '22003' },
    { name: 'prune', lastSuccessAt: null, lastFailureAt: 1000, lastErrorCode: 'TypeError' },
  ]);
  expect(health.list().map(isFailing)).toEqual([true, true]);
  clock.ms = 3000;
  health.record('rollup', 'ok');
  expect(health.list().map(isFailing)).toEqual([false, true]);
});

it('keeps no text of an error, whatever it calls its code', () => {
  const { health } = setup();
  const odd = [null, undefined, 'text', { code: 'secret of a tenant', name: 'with spaces' }, { code: 7 }];
  for (const error of odd) {
    health.record('rollup', 'failed', error);
    expect(health.list()[0]?.lastErrorCode).toBe('Error');
  }
});
