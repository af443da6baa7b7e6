/** A failing check leads to its cause, over the calls of the product. */
import { listen, says } from '@plimsoll/contract/testing/check-targets';
import { expect, it, onTestFinished } from 'vitest';
import { judgeChecks } from '../checks/judge-checks.ts';
import { reportsBody, testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { answersOf, causesOf } from './testing/answers-of.ts';

const db = testStorage();
const MINUTES = 3;

/** An account whose check `shop` is about to fail. */
async function failingShop() {
  const target = await listen(says('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
  const app = testApp(db.storage(), { settings: { PLIMSOLL_CHECK_NETWORKS: '127.0.0.0/8' } });
  onTestFinished(async () => {
    await app.deps.checkRunner.stop();
    await target.close();
  });
  await db.sql("UPDATE check_tick SET ran_to = '-infinity'");
  const user = await app.newUser();
  const probe = { kind: 'http', url: `http://127.0.0.1:${String(target.port)}/` };
  const created = await app.call('POST', '/api/checks', { ...user, body: { name: 'shop', retries: 0, probe } });
  expect(created.status).toBe(200);
  const fail = async () => {
    for (let second = 0; second < MINUTES * 60; second += 5) {
      await app.deps.checkRunner.tick(app.clock.now());
      await app.deps.checkRunner.idle();
      app.clock.pass(5);
    }
  };
  const judge = () => {
    const { storage, alertRules, changes } = app.deps;
    return judgeChecks({ ...storage, alertRules, changes, reportIntervalSeconds: 60 }, app.clock.now());
  };
  const deploy = async (title: string) =>
    expect((await app.call('POST', '/api/changes', { ...user, body: { title, by: 'mira' } })).status).toBe(200);
  return { app, user, fail, judge, deploy };
}

it('the evidence of a check that names no machine holds the one that there is', async () => {
  const { app, user, fail, judge } = await failingShop();
  const agent = await app.newAgent(user, 'vm');
  await fail();
  const body = reportsBody(agent, app.clock.now(), [{}]);
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
  await judge();
  const [answered] = await answersOf(app, user);
  expect(answered?.evidence).toMatchObject({
    checks: [{ name: 'shop', serverId: null }],
    servers: [{ serverId: agent.serverId, hostname: 'vm' }],
  });
});

it('a deploy mark without a place is the cause of the check that its title names', async () => {
  const { app, user, fail, judge, deploy } = await failingShop();
  await deploy('billing 4.1');
  await deploy('shop 1.9.2');
  await fail();
  await judge();
  const [answered] = await answersOf(app, user);
  const [cause, ...others] = answered?.answer.causes ?? [];
  expect(cause).toMatchObject({ mechanism: 'deployed', entities: [{ kind: 'peer', name: '127.0.0.1' }] });
  expect(cause?.finding).toMatch(/^shop 1\.9\.2 was deployed at .{1,20} by mira, and shop fails since/);
  expect(cause?.evidence.map(({ text }) => text)).toContain('the status is not an expected one');
  expect(others).toEqual([]);
});

it('a deploy mark of something else is not accused', async () => {
  const { app, user, fail, judge, deploy } = await failingShop();
  await deploy('billing 4.1');
  await fail();
  await judge();
  const [found] = await causesOf(app, user);
  expect(found).toMatch(/: not found$/);
});
