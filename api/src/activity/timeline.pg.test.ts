import { expect, test } from 'vitest';
import type { TimelineAnswer } from '@plimsoll/contract/wire/timeline';
import { reportsBody, testApp, type TestAgent, type TestApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const MINUTE = 60;

const event = (id: string, type: string, message: string, ts: number) => ({
  id,
  event_type: type,
  service_name: null,
  process_name: null,
  message,
  severity: 'info',
  ts,
});
const cpu = (percent: number) => ({
  percent,
  io_wait_percent: null,
  steal_percent: 0,
  user_percent: 0,
  system_percent: 0,
  per_core_percent: [],
});
async function feed(app: TestApp, agent: TestAgent, seq: number, parts: object): Promise<void> {
  const up = 100_000 + seq * MINUTE;
  const body = reportsBody(agent, app.clock.now(), [{ seq, up, ...parts }], { up_now: up });
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
}

test('alerts and events of hosts are one list: bursts folded, process runs counted, each kind by its chip', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const [web, other] = [await app.newAgent(user, 'web-1'), await app.newAgent(user, 'db-1')];
  const stranger = await app.newUser();
  const start = app.clock.now() / 1000;
  for (let minute = 0; minute < 8; minute += 1) {
    const ts = app.clock.now() / 1000;
    const runs = event(`r${String(minute)}`, 'process_start', `rustc (pid ${String(minute)}) started`, ts);
    const restart = event(`s${String(minute)}`, 'service_restart', 'nginx restarted', ts);
    await feed(app, web, minute + 1, { cpu: cpu(99), events: minute < 3 ? [runs, restart] : [] });
    app.clock.pass(MINUTE);
  }
  const now = app.clock.now() / 1000;
  await feed(app, other, 1, {
    events: [
      event('o', 'process_crash', 'The kernel killed a process: out of memory', now),
      event('p', 'update_installed', 'Updated openssl 3.0.1', now - 30),
    ],
  });
  const ask = async (query = '', of = user) => {
    const { status, json } = await app.call(
      'GET',
      `/api/data/activity/timeline?start_date=${String(start)}${query}`,
      of,
    );
    expect(status).toBe(200);
    return json.data as unknown as TimelineAnswer;
  };
  const kindsOf = ({ entries }: TimelineAnswer) => entries.map(({ kind }) => kind);
  const all = await ask();
  expect(kindsOf(all).toSorted()).toEqual(['alert', 'oom', 'package', 'service']);
  expect(all.complete_since).toBeNull();
  expect(Object.fromEntries(all.kinds.map(({ kind, count }) => [kind, count]))).toMatchObject({
    process: 3,
    service: 3,
    alert: 1,
  });
  expect(all.entries.find(({ kind }) => kind === 'service')).toMatchObject({
    count: 3,
    first_at: start,
    timestamp: start + 2 * MINUTE,
    servers: [{ server_id: web.serverId, hostname: 'web-1' }],
    servers_total: 1,
  });
  expect(all.entries.find(({ kind }) => kind === 'alert')).toMatchObject({ type: 'cpu_usage', ended_at: null });
  expect(kindsOf(await ask('&kinds=process'))).toEqual(['process']);
  expect(kindsOf(await ask('&q=OPENSSL%20db'))).toEqual(['package']);
  expect(kindsOf(await ask(`&server_id=${other.serverId}`)).toSorted()).toEqual(['oom', 'package']);
  expect(await ask('&limit=1&offset=1')).toMatchObject({ total: 4, entries: [all.entries[1]] });
  expect((await ask('', stranger)).entries).toEqual([]);
  const bad = await app.call('GET', '/api/data/activity/timeline?kinds=alert,nothing', user);
  expect([bad.status, bad.json.field]).toEqual([400, 'kinds[1]']);
});
