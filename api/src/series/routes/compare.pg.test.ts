import type { ComparisonAnswer } from '@plimsoll/contract/wire/metrics';
import { expect, test } from 'vitest';
import { reportsBody, testApp, TestClock, type Answer, type TestAgent, type TestApp } from '../../testing/app.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const PATH = '/api/data/metrics/compare';
const MINUTE = 60;
/** A whole hour, recent enough for today's partitions. */
const lastHour = (): TestClock => new TestClock(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000);
const dataOf = (answer: Answer): ComparisonAnswer => answer.json.data as unknown as ComparisonAnswer;

async function report(app: TestApp, seq: number, parts: readonly (readonly [TestAgent, number, number])[]) {
  const up = 100_000 + seq * MINUTE;
  for (const [agent, percent, ioWait] of parts) {
    const cpu = { percent, io_wait_percent: ioWait, steal_percent: 0, user_percent: 0, system_percent: 0 };
    const body = reportsBody(agent, app.clock.now(), [{ seq, up, cpu: { ...cpu, per_core_percent: [] } }], {
      up_now: up,
    });
    const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    expect(answer.status).toBe(200);
  }
}

describeEachPostgres('comparison', (db) => {
  test('means of one figure in the order asked, null where nothing came, the caller’s servers only', async () => {
    const app = testApp(db.storage());
    app.clock.ms = lastHour().ms;
    const [user, other] = [await app.newUser(), await app.newUser()];
    const [first, second, silent] = [await app.newAgent(user), await app.newAgent(user), await app.newAgent(user)];
    const foreign = await app.newAgent(other);
    const start = app.clock.now() / 1000;
    app.clock.pass(MINUTE);
    await report(app, 1, [
      [first, 10, 1],
      [second, 50, 2],
      [foreign, 99, 9],
    ]);
    app.clock.pass(MINUTE);
    await report(app, 2, [[first, 21, 4]]);
    app.clock.pass(11 * MINUTE);
    await report(app, 13, [[second, 30, 3]]);

    const ids = [second, silent, foreign, first, second].map(({ serverId }) => serverId);
    const ask = async (figure: string) => {
      const range = `start_date=${String(start)}&end_date=${String(start + 20 * MINUTE)}`;
      return dataOf(
        await app.call('GET', `${PATH}?server_ids=${ids.join(',')}&figure=${figure}&${range}&buckets=10`, user),
      );
    };
    const wanted = (busy: (number | null)[], quiet: (number | null)[]) => ({
      from: start,
      to: start + 20 * MINUTE,
      bucket_seconds: 300,
      servers: [
        { server_id: second.serverId, values: quiet },
        { server_id: silent.serverId, values: [null, null, null, null] },
        { server_id: first.serverId, values: busy },
      ],
    });
    const check = async () => {
      expect(await ask('cpu')).toEqual(wanted([15.5, null, null, null], [50, null, 30, null]));
      expect(await ask('io_wait')).toEqual(wanted([2.5, null, null, null], [2, null, 3, null]));
    };
    await check();

    await db.storage().rollups.rollUp(app.clock.now() + 3_600_000);
    expect((await db.sql('SELECT 1 FROM host_rollup_5m')).length).toBeGreaterThan(0);
    await db.sql('DELETE FROM host_sample');
    await check();
  });

  const ID = crypto.randomUUID();
  test.each([
    ['a name', 'server_ids=web-1&figure=cpu', 'server_ids[0]'],
    ['no ids', 'figure=cpu', 'server_ids'],
    ['no figure', `server_ids=${ID}`, 'figure'],
    ['a figure that is not stored', `server_ids=${ID}&figure=colour`, 'figure'],
    ['an end before the beginning', `server_ids=${ID}&figure=cpu&start_date=20&end_date=10`, 'start_date'],
    ['101 buckets', `server_ids=${ID}&figure=cpu&buckets=101`, 'buckets'],
  ])('refuses %s', async (_, query, field) => {
    const app = testApp(db.storage());
    const answer = await app.call('GET', `${PATH}?${query}`, await app.newUser());
    expect([answer.status, answer.json.field]).toEqual([400, field]);
  });

  test('needs a session, and obeys the plan in force', async () => {
    const app = testApp(db.storage(), { settings: { PLIMSOLL_PLAN_LIMITS: 'free' } });
    const asked = `${PATH}?server_ids=${ID}&figure=cpu&hours=169`;
    expect((await app.call('GET', asked)).status).toBe(401);
    const answer = await app.call('GET', asked, await app.newUser());
    expect([answer.status, answer.json.code]).toEqual([422, 'plan_limit']);
  });
});
