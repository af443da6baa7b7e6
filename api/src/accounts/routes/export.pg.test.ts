import { expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type TestAgent } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { exportAccount } from './export.ts';

const db = testStorage();
/** More than one page. */
const MANY = 1500;

interface Exported {
  samples: { serverId: string; sampleAt: number }[];
  events: { id: string; at: number }[];
  alerts: { id: string; openedAt: number }[];
}

/** A sample, an event and an alert that ended at once, each so many seconds before `now`. */
async function history({ serverId }: TestAgent, now: number, from: number, to: number): Promise<void> {
  const each = `FROM server s, generate_series($3::integer, $4::integer) n WHERE s.id = $1`;
  const at = `to_timestamp($2::double precision / 1000 - n)`;
  for (const text of [
    `INSERT INTO host_sample (server_key, ts) SELECT s.key, ${at} ${each}`,
    `INSERT INTO activity_event (server_key, stream_key, event_id, at, event_type, severity, message)
       SELECT s.key, 0, $2::text || ' ' || n, ${at}, 'process_crash', 'error', n ${each}`,
    `INSERT INTO alert (server_key, rule, subject, metric, level, title, message, opened_at, updated_at, resolved_at)
       SELECT s.key, n, '', 'cpu_usage', 'warning', n, '', ${at}, ${at}, ${at} ${each}`,
  ])
    await db.sql(text, [serverId, now, from, to]);
}

test('what comes while an account is exported moves nothing to another page: each row once, the old ones all', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const [agent, second] = [await app.newAgent(user), await app.newAgent(user)];
  const now = app.clock.now();
  await history(agent, now, 1, MANY);
  await history(second, now, MANY + 1, MANY + 2);
  let text = '';
  for await (const piece of exportAccount(app.deps, {
    owner: ownerOf(user.organisationId),
    personId: user.personId,
  })) {
    const isFirstRow = /"(alerts|events|samples)":\[$/.test(text);
    text += piece;
    if (!isFirstRow) continue;
    // The first page is read, the second is not.
    app.clock.pass(60);
    await history(agent, app.clock.now(), 1, 3);
  }
  const { samples, events, alerts } = JSON.parse(text) as Exported;
  const found = {
    samples: samples
      .filter(({ sampleAt }) => sampleAt < now)
      .map(({ serverId, sampleAt }) => `${serverId} ${sampleAt}`),
    events: events.filter(({ at }) => at < now).map(({ id }) => id),
    alerts: alerts.filter(({ openedAt }) => openedAt < now).map(({ id }) => id),
  };
  for (const [list, rows] of Object.entries(found)) {
    expect([list, rows.length]).toEqual([list, MANY + 2]);
    expect([list, new Set(rows).size]).toEqual([list, MANY + 2]);
  }
});
