import { expect, test } from 'vitest';
import { listen, says } from '@plimsoll/contract/testing/check-targets';
import type { CollectorCheck } from '@plimsoll/contract/wire/check-probes';
import { fakeApi, failed, status } from '../testing/fake-api.ts';
import { SettingError } from '../settings.ts';
import { createCheckRunner } from './check-runner.ts';

const ID = '0b0e7a52-3f3c-4a63-9d51-7f0a4a6a0c01';
const checkOf = (port: number, host = '127.0.0.1'): CollectorCheck => ({
  check_id: ID,
  check_rev: 3,
  interval_seconds: 60,
  probe: { kind: 'tcp', timeout_ms: 1000, ip_version: 'any', host, port, expect: null },
});
const configOf = (checks: CollectorCheck[], config_rev = 5) =>
  status(200, { success: true, data: { config_rev, checks } });

/** A runner whose clock moves by one second with each sleep, until `isOver`. */
function runnerOf(networks: string[], isOver: (turn: number) => boolean) {
  let up = 1000;
  const stop = new AbortController();
  const api = fakeApi(() => up);
  const logged: string[] = [];
  let turn = 0;
  const clock = {
    wall: () => up,
    up: () => up,
    sleep: async () => {
      up += 1;
      turn += 1;
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver(turn)) stop.abort();
    },
  };
  const parts = { api, clock, log: (_level: string, message: string) => void logged.push(message), random: () => 0 };
  const runner = createCheckRunner(networks, { ...parts, milliseconds: () => up * 1000 });
  return { runner, api, logged, run: () => runner.run(() => 'agent-token', stop.signal), now: () => ({ ts: up, up }) };
}

test('runs what the API lists, and carries each result once with its age', async () => {
  const target = await listen(says(''));
  const { runner, api, run, now } = runnerOf(['127.0.0.1'], (turn) => target.connections() > 0 && turn > 30);
  api.config = configOf([checkOf(target.port)]);
  runner.noteConfigRev(5);
  await run();
  expect(api.requests).toEqual([{ path: '/api/agent/v1/config', body: null, token: 'agent-token' }]);
  const { part } = await runner.source.read(now());
  expect(part.check_results).toMatchObject([{ check_id: ID, check_rev: 3, ok: true, reason: null, certificate: null }]);
  expect(part.check_results?.[0]?.age_seconds).toBeGreaterThan(0);
  expect((await runner.source.read(now())).part).toEqual({});
  await target.close();
});

test('without a change of the number it requests nothing', async () => {
  const { api, run } = runnerOf([], (turn) => turn > 100);
  await run();
  expect(api.requests).toEqual([]);
});

test('an API that changes its mind with each report is asked every 20 seconds at most', async () => {
  const parts = runnerOf([], (turn) => {
    parts.runner.noteConfigRev(1000 + turn);
    parts.api.config = configOf([], turn);
    return turn > 200;
  });
  parts.runner.noteConfigRev(1);
  await parts.run();
  expect(parts.api.requests.length).toBeGreaterThan(5);
  expect(parts.api.requests.length).toBeLessThanOrEqual(11);
});

test('what the own file does not allow gets no connection, whatever the API sends', async () => {
  const target = await listen(says(''));
  const { runner, api, run, now } = runnerOf([], (turn) => turn > 40);
  api.config = configOf([checkOf(target.port), { ...checkOf(80, '169.254.169.254'), check_id: ID.replace('1', '2') }]);
  runner.noteConfigRev(5);
  await run();
  expect(target.connections()).toBe(0);
  const { part } = await runner.source.read(now());
  expect(part.check_results?.map(({ reason }) => reason)).toEqual(['address_refused', 'address_refused']);
  await target.close();
});

test('a list that cannot be fetched is named in the report, and requested again', async () => {
  const { runner, api, run, now, logged } = runnerOf([], (turn) => turn > 70);
  api.config = failed('ECONNREFUSED');
  runner.noteConfigRev(5);
  await run();
  expect(api.requests).toHaveLength(2);
  expect((await runner.source.read(now())).note).toBe('the list of checks cannot be fetched: ECONNREFUSED');
  expect(logged).toEqual(['the list of checks cannot be fetched']);
});

test('a network that is none is refused at the start', () => {
  expect(() => runnerOf(['10.0.0.0/99'], () => true)).toThrow(SettingError);
});
