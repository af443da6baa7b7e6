/** A failing check leads to the machine that it may be about, over the calls of the product. */
import { listen, says } from '@plimsoll/contract/testing/check-targets';
import { evidenceAnswer } from '@plimsoll/contract/wire/causes';
import { expect, it, onTestFinished } from 'vitest';
import { judgeChecks } from '../checks/judge-checks.ts';
import { reportsBody, testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const MINUTES = 3;

it('the evidence of a check that names no machine holds the one that there is', async () => {
  const target = await listen(says('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
  const app = testApp(db.storage(), { settings: { PLIMSOLL_CHECK_NETWORKS: '127.0.0.0/8' } });
  onTestFinished(async () => {
    await app.deps.checkRunner.stop();
    await target.close();
  });
  const user = await app.newUser();
  const probe = { kind: 'http', url: `http://127.0.0.1:${String(target.port)}/` };
  const created = await app.call('POST', '/api/checks', { ...user, body: { name: 'shop', retries: 0, probe } });
  expect(created.status).toBe(200);
  const agent = await app.newAgent(user, 'vm');
  for (let second = 0; second < MINUTES * 60; second += 5) {
    await app.deps.checkRunner.tick(app.clock.now());
    await app.deps.checkRunner.idle();
    app.clock.pass(5);
  }
  const body = reportsBody(agent, app.clock.now(), [{}]);
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
  const { storage, alertRules, changes } = app.deps;
  await judgeChecks({ ...storage, alertRules, changes, reportIntervalSeconds: 60 }, app.clock.now());
  const listed = await app.call('GET', '/api/incidents?state=open', user);
  const [incident] = (listed.json.data as unknown as { incidents: { incident_id: string }[] }).incidents;
  const answer = await app.call('GET', `/api/incidents/${incident?.incident_id ?? ''}/evidence`, user);
  expect(evidenceAnswer.parse(answer.json.data).evidence).toMatchObject({
    checks: [{ name: 'shop', serverId: null }],
    servers: [{ serverId: agent.serverId, hostname: 'vm' }],
  });
});
