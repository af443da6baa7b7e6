import type { SparksAnswer } from '@plimsoll/contract/wire/metrics';
import { expect, test } from 'vitest';
import { reportsBody, testApp, TestClock, type Answer, type TestAgent, type TestApp } from '../../testing/app.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const PATH = '/api/data/metrics/sparks';
const MINUTE = 60;
/** A whole hour, recent enough for today's partitions. */
const lastHour = (): TestClock => new TestClock(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000);
const dataOf = (answer: Answer): unknown => answer.json.data;

const cpu = (percent: number, ioWait = 5) => ({
  cpu: { percent, io_wait_percent: ioWait, steal_percent: 0, user_percent: 0, system_percent: 0, per_core_percent: [] },
});
const memory = (percent: number) => ({
  memory: {
    total_bytes: 1000,
    available_bytes: 1000 - percent * 10,
    used_bytes: percent * 10,
    swap_total_bytes: 0,
    swap_used_bytes: 0,
  },
});

/** Reports of this minute. */
async function report(app: TestApp, seq: number, parts: readonly (readonly [TestAgent, object])[]): Promise<void> {
  const up = 100_000 + seq * MINUTE;
  for (const [agent, part] of parts) {
    const body = reportsBody(agent, app.clock.now(), [{ seq, up, ...part }], { up_now: up });
    const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    expect(answer.status).toBe(200);
  }
}

describeEachPostgres('small charts', (db) => {
  test('mean of each bucket of the resource nearest its line, null where nothing came, the caller’s servers only', async () => {
    const app = testApp(db.storage());
    app.clock.ms = lastHour().ms;
    const [user, other] = [await app.newUser(), await app.newUser()];
    const [busy, full, silent] = [await app.newAgent(user), await app.newAgent(user), await app.newAgent(user)];
    const waiting = await app.newAgent(user);
    const foreign = await app.newAgent(other);
    const start = app.clock.now() / 1000;
    app.clock.pass(MINUTE);
    await report(app, 1, [
      [busy, cpu(10)],
      [full, { ...cpu(5), ...memory(95) }],
      [waiting, cpu(12, 18)],
      [foreign, cpu(99)],
    ]);
    app.clock.pass(MINUTE);
    await report(app, 2, [
      [busy, cpu(21)],
      [full, { ...cpu(6), ...memory(86) }],
    ]);
    app.clock.pass(11 * MINUTE);
    await report(app, 13, [[busy, cpu(30)]]);

    const ids = [busy, full, silent, waiting, foreign].map(({ serverId }) => serverId);
    const query = `server_ids=${[...ids, crypto.randomUUID()].join(',')}&hours=1&buckets=10`;
    const ask = async () => {
      const answer = dataOf(await app.call('GET', `${PATH}?${query}`, user)) as SparksAnswer;
      return { ...answer, sparks: answer.sparks.toSorted((a, b) => (a.resource < b.resource ? -1 : 1)) };
    };
    // An hour in at most 10 buckets: 6 of ten minutes, the last of them open at minute 13.
    const wanted = {
      from: start - 40 * MINUTE,
      to: start + 20 * MINUTE,
      bucket_seconds: 600,
      sparks: [
        { server_id: busy.serverId, resource: 'cpu', values: [null, null, null, null, 15.5, 30] },
        { server_id: waiting.serverId, resource: 'io_wait', values: [null, null, null, null, 18, null] },
        { server_id: full.serverId, resource: 'memory', values: [null, null, null, null, 90.5, null] },
      ],
    };
    expect(await ask()).toEqual(wanted);

    await db.storage().rollups.rollUp(app.clock.now() + 3_600_000);
    expect((await db.sql('SELECT 1 FROM host_rollup_5m')).length).toBeGreaterThan(0);
    await db.sql('DELETE FROM host_sample');
    expect(await ask()).toEqual(wanted);
  });

  test('a day in half-hours unless asked otherwise', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const { serverId } = await app.newAgent(user);
    const answer = dataOf(await app.call('GET', `${PATH}?server_ids=${serverId}`, user)) as SparksAnswer;
    expect(answer).toMatchObject({ bucket_seconds: 1800, sparks: [] });
    expect(answer.to - answer.from).toBe(48 * 1800);
  });

  test.each([
    ['a name', 'server_ids=web-1', 'server_ids[0]'],
    ['no ids', '', 'server_ids'],
    ['51 ids', `server_ids=${Array.from({ length: 51 }, () => crypto.randomUUID()).join(',')}`, 'server_ids'],
    ['no time', `server_ids=${crypto.randomUUID()}&hours=0`, 'hours'],
    ['101 buckets', `server_ids=${crypto.randomUUID()}&buckets=101`, 'buckets'],
  ])('refuses %s', async (_, query, field) => {
    const app = testApp(db.storage());
    const answer = await app.call('GET', `${PATH}?${query}`, await app.newUser());
    expect([answer.status, answer.json.field]).toEqual([400, field]);
  });

  test('needs a session, and obeys the plan in force', async () => {
    const app = testApp(db.storage(), { settings: { PLIMSOLL_PLAN_LIMITS: 'free' } });
    const asked = `${PATH}?server_ids=${crypto.randomUUID()}&hours=169`;
    expect((await app.call('GET', asked)).status).toBe(401);
    const answer = await app.call('GET', asked, await app.newUser());
    expect([answer.status, answer.json.code]).toEqual([422, 'plan_limit']);
  });
});
