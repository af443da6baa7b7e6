import { expect, test } from 'vitest';
import type { Actor } from '../tenancy/actor.ts';
import { FailedSignIns, type FailedSignInDeps } from './failed-sign-ins.ts';
import { organisationIdOf, personIdOf } from '../tenancy/ids.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');

function setUp(gone: readonly string[] = []) {
  const written: { by: Actor; action: string; detail: Record<string, string> }[] = [];
  const clock = { ms: START, now: () => clock.ms };
  let isDown = false;
  const deps = {
    clock,
    tenancy: {
      teams: {
        memberOf: (id) =>
          Promise.resolve(gone.includes(id) ? null : { organisationId: organisationIdOf('o'), name: 'Ada' }),
      },
      audit: {
        record: (by, action, detail) => {
          if (isDown) return Promise.reject(new Error('down'));
          written.push({ by, action, detail });
          return Promise.resolve();
        },
      },
    },
  } satisfies FailedSignInDeps;
  const failures = new FailedSignIns();
  return {
    deps,
    clock,
    written,
    failures,
    setDown: (down: boolean) => void (isDown = down),
    fail: (times: number, part: 'password' | 'code' = 'password', from = 0) => {
      for (let i = 0; i < times; i += 1)
        failures.note(personIdOf('a'), part, `203.0.113.${String(from + i)}`, clock.ms);
    },
  };
}

test('the first failures are recorded with the next run', async () => {
  const { deps, failures, fail, written } = setUp();
  fail(3);
  fail(1, 'code', 2);
  expect(await failures.record(deps)).toBe(1);
  expect(written).toEqual([
    {
      by: { organisationId: 'o', person: { id: 'a', name: 'Ada' }, token: null, address: '203.0.113.2' },
      action: 'sign_in_failed',
      detail: { passwords: '3', codes: '1', addresses: '3', since: '2026-01-01T00:00:00.000Z' },
    },
  ]);
  expect(await failures.record(deps)).toBe(0);
});

test('an attack of a day is 24 entries, and every failure is counted', async () => {
  const { deps, clock, failures, fail, written } = setUp();
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    fail(100);
    await failures.record(deps);
    clock.ms += 60_000;
  }
  await failures.record(deps, { all: true });
  expect(written).toHaveLength(25);
  expect(written.reduce((sum, { detail }) => sum + Number(detail['passwords']), 0)).toBe(24 * 60 * 100);
  expect(written.at(1)?.detail['addresses']).toBe('100 or more');
});

test('a database that is down loses no count', async () => {
  const { deps, failures, fail, written, setDown } = setUp();
  fail(2);
  setDown(true);
  await expect(failures.record(deps)).rejects.toThrow('down');
  setDown(false);
  fail(1);
  await failures.record(deps);
  expect(written.map(({ detail }) => detail['passwords'])).toEqual(['3']);
});

test('a deleted account gets no entry', async () => {
  const { deps, failures, fail, written } = setUp(['a']);
  fail(2);
  expect(await failures.record(deps)).toBe(0);
  expect(written).toEqual([]);
});
