import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpStandIn, type HttpStandIn } from '../testing/http-stand-in.ts';
import { createHeartbeat } from './heartbeat.ts';

let monitor: HttpStandIn;
let lines: string[];
let outcomes: string[];
beforeEach(async () => {
  monitor = await httpStandIn();
  [lines, outcomes] = [[], []];
});
afterEach(() => monitor.close());

const write = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
const heartbeat = (ping = () => Promise.resolve()) =>
  createHeartbeat({
    url: `${monitor.url}/ping/secret-id`,
    ping,
    log: { info: write, warn: write },
    observe: (outcome) => void outcomes.push(outcome),
  });

test('calls the URL while the database answers', async () => {
  await heartbeat()();
  expect(monitor.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /ping/secret-id']);
  const silent = heartbeat(() => Promise.reject(new Error('no database')));
  await expect(silent()).rejects.toThrow('no database');
  expect([monitor.received.length, outcomes]).toEqual([1, ['ok']]);
});

test('logs the first failure in a row and its end, counts each, and keeps the URL out of the log', async () => {
  const beat = heartbeat();
  for (const status of [500, 404, 200, 200]) {
    monitor.answer(() => ({ status }));
    await beat();
  }
  expect(outcomes).toEqual(['failed', 'failed', 'ok', 'ok']);
  expect(lines).toEqual(['heartbeat call failed {"reason":"status 500"}', 'heartbeat call succeeds again {}']);
});
