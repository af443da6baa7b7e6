import type { AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import { expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { hashToken } from '../../accounts/tokens.ts';
import { sendDue } from '../../notify/send-due.ts';
import type { SendResult } from '../../notify/types.ts';
import { reportsBody, testApp, type Answer, type TestApp } from '../../testing/app.ts';
import {
  changeAt,
  driversOf,
  newChannel,
  openAlert,
  resolveAlert,
  saveChanges,
  testSecretBox,
} from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();

const dataOf = (answer: Answer): unknown => {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.data;
};
async function world() {
  await db.sql('DELETE FROM notify_channel');
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  const detail = async (id: string) => dataOf(await app.call('GET', `/api/alerts/${id}`, user)) as AlertDetailAnswer;
  return { app, user, agent, owner: ownerOf(user.organisationId), detail };
}
const send = ({ clock }: TestApp, result: SendResult): ReturnType<typeof sendDue> =>
  sendDue({
    storage: db.storage(),
    outbox: db.storage().notify.outbox,
    alertActing: db.storage().alertActing,
    drivers: driversOf({ send: () => Promise.resolve(result) }),
    secretBox: testSecretBox,
    clock,
    publicUrl: null,
    random: () => 1,
    observe: () => {},
  });

test('the detail has the rule in words, the chart, the lists of the server, deliveries and history', async () => {
  const { app, user, agent, owner, detail } = await world();
  const opened = app.clock.now();
  await newChannel(db.storage(), user.organisationId, opened);
  const process = { pid: 7, name: 'java', command: 'java -jar a.jar', user: 'app', status: 'R', cpu_percent: 150 };
  const rest = { memory_percent: 40, memory_bytes: 2 ** 21, threads: 9, started_at: 1 };
  const body = reportsBody(agent, opened, [{ processes: [{ ...process, ...rest }] }]);
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
  const id = await openAlert(db.storage(), owner, agent, opened);
  expect((await detail(id)).deliveries).toMatchObject([{ state: 'waiting', error: null, attempts: 0 }]);
  app.clock.pass(30);
  await send(app, { outcome: 'failed', detail: 'The server did not answer' });
  expect((await detail(id)).deliveries).toMatchObject([
    { type: 'webhook', state: 'failed', error: 'The server did not answer', attempts: 1 },
  ]);
  app.clock.pass(400);
  await send(app, { outcome: 'delivered', detail: 'ok' });
  app.clock.pass(5);
  await app.call('POST', `/api/alerts/${id}/acknowledge`, { ...user, body: { note: 'on it' } });
  app.clock.pass(60);
  const { agent: known } = (await db.storage().agents.findByToken(hashToken(agent.token))) as never as {
    agent: { serverKey: number };
  };
  const risen = { kind: 'updated', level: 'critical', value: 97, threshold: 95 } as const;
  await saveChanges(db.storage(), known.serverKey, changeAt(app.clock.now(), risen));
  await app.call('POST', '/api/alerts/silences', { ...user, body: { alert_id: id, duration_seconds: 60 } });
  app.clock.pass(120);
  await resolveAlert(db.storage(), agent, app.clock.now());
  const shown = await detail(id);
  const name = user.email.split('@')[0];
  expect(shown).toMatchObject({
    alert: { alert_id: id, status: 'resolved', level: 'critical', silenced_until: null },
    rule: {
      rule_id: 'default-memory',
      is_default: true,
      exists: true,
      text: 'Memory at or above 95 % for 5 min; resolves below 90 %',
    },
    chart: {
      server_id: agent.serverId,
      metric: 'memory_usage',
      subject: '',
      line: 95,
      lines: [
        { level: 'warning', threshold: 80 },
        { level: 'critical', threshold: 95 },
      ],
      from: opened / 1000 - 35 * 60,
      to: app.clock.now() / 1000,
    },
    black_box: {
      taken_at: new Date(opened).toISOString(),
      processes: {
        age_seconds: 0,
        total: 1,
        entries: [{ pid: 7, command: 'java -jar a.jar', cpu_usage: 150, memory_usage: 40, memory_kb: 2048 }],
      },
      pods: null,
    },
    black_box_note: null,
  });
  expect(shown.history.map(({ kind, by, note, level }) => [kind, by, note, level])).toEqual([
    ['opened', null, null, 'warning'],
    ['message_sent', null, null, null],
    ['acknowledged', name, 'on it', null],
    ['escalated', null, null, 'critical'],
    ['silenced', name, null, null],
    ['unsilenced', null, null, null],
    ['resolved', null, null, null],
  ]);
});

test('a rule of a user is told in its words, and an alert of a deleted rule by its title', async () => {
  const { app, user, agent, owner, detail } = await world();
  const rule = { metric: 'memory_usage', target: 'all', lines: [{ level: 'error', threshold: 60 }], for_seconds: 600 };
  const made = await app.call('POST', '/api/alerts/rules', { ...user, body: { ...rule, hysteresis_points: 10 } });
  const { rule_id: ruleId } = (dataOf(made) as { rule: { rule_id: string } }).rule;
  const id = await openAlert(db.storage(), owner, agent, app.clock.now(), { rule: ruleId, threshold: 60 });
  expect((await detail(id)).rule).toEqual({
    rule_id: ruleId,
    is_default: false,
    exists: true,
    text: 'Memory at or above 60 % for 10 min; resolves below 50 %',
  });
  await app.call('DELETE', `/api/alerts/rules/${ruleId}`, user);
  expect((await detail(id)).rule).toMatchObject({ exists: false, text: 'Memory usage above 80%' });
});

test('an alert from before black boxes says that none was stored', async () => {
  const { app, agent, owner, detail } = await world();
  const id = await openAlert(db.storage(), owner, agent, app.clock.now());
  await db.sql('DELETE FROM alert_black_box WHERE alert_id = $1', [id]);
  expect(await detail(id)).toMatchObject({
    black_box: null,
    black_box_note: 'Nothing was stored when this alert opened.',
  });
});

test('an alert that is unknown or of another account is 404, a bad id 400, no session 401', async () => {
  const { app, agent, owner } = await world();
  const other = await app.newUser();
  const id = await openAlert(db.storage(), owner, agent, app.clock.now());
  const [foreign, unknown] = [
    await app.call('GET', `/api/alerts/${id}`, other),
    await app.call('GET', `/api/alerts/${crypto.randomUUID()}`, other),
  ];
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
  expect((await app.call('GET', '/api/alerts/seven', other)).status).toBe(400);
  expect((await app.call('GET', `/api/alerts/${id}`)).status).toBe(401);
});
