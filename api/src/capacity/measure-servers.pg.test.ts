import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { measureServers } from './measure-servers.ts';

const db = testStorage();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;

interface Use {
  cpu: number;
  memory: (hour: number) => number;
  connections: number;
  hours?: number;
}

describe('servers that can be given back', () => {
  let app: TestApp;
  let user: TestUser;
  const keyOf = async (serverId: string): Promise<number> => {
    const [row] = await db.sql('SELECT key FROM server WHERE id = $1', [serverId]);
    return Number((row as { key: number } | undefined)?.key);
  };
  const add = async (hostname: string, { cpu, memory, connections, hours = 336 }: Use): Promise<number> => {
    const { serverId } = await app.newAgent(user, hostname);
    const key = await keyOf(serverId);
    const [agent] = await db.sql('SELECT server_key FROM agent_token WHERE server_key = $1', [key]);
    expect(agent).toBeDefined();
    const counts = 'io_wait_count, disk_count, operations_count, receive_count, transmit_count';
    const values = Array.from({ length: hours }, (_, index) => [NOW - (index + 1) * HOUR, memory(hours - index)]);
    await db.sql(
      `INSERT INTO host_rollup_1h (ts, server_key, samples, cpu_count, cpu_avg, memory_count, memory_avg, memory_max,
          connections_count, connections_established_avg, ${counts})
        SELECT to_timestamp((v->>0)::float8 / 1000), $1, 60, 60, $2, 60, (v->>1)::real, (v->>1)::real, 60, $3, 0, 0, 0, 0, 0
        FROM json_array_elements($4::json) v`,
      [key, cpu, connections, JSON.stringify(values)],
    );
    await db.sql(
      `INSERT INTO host_rollup_5m (ts, server_key, samples, cpu_count, cpu_avg, memory_count, connections_count, ${counts})
        SELECT ts + make_interval(mins => 5 * n), $1, 5, 5, CASE WHEN n = 0 THEN 60 ELSE $2 END, 0, 0, 0, 0, 0, 0, 0
        FROM host_rollup_1h, generate_series(0, 11) n WHERE server_key = $1 AND ($3 OR n > 0)`,
      [key, cpu, hostname === 'spiky'],
    );
    return key;
  };

  beforeAll(async () => {
    app = testApp(db.storage());
    app.clock.ms = NOW;
    user = await app.newUser();
    await db.storage().maintenance.makePartitions(NOW - 14 * DAY);
    const idle: Use = { cpu: 1, memory: () => 10, connections: 1 };
    const keys = [
      await add('idle', idle),
      await add('relay', { ...idle, connections: 40 }),
      await add('spiky', idle),
      await add('leaking', { ...idle, memory: (hour) => 5 + hour / 60 }),
      await add('young', { ...idle, hours: 48 }),
      await add('busy', { ...idle, cpu: 60, memory: () => 70 }),
    ];
    for (const key of keys)
      await db.sql(
        `INSERT INTO server_fact (server_key, name, sample_at, value) VALUES ($1, 'memory_total_bytes', now(), $2)`,
        [key, JSON.stringify(2 ** 35)],
      );
    // A server reports now if its stream does.
    await db.sql(
      `INSERT INTO report_stream (server_key, stream_id, settled, last_received_at)
        SELECT key, gen_random_uuid(), '{}', to_timestamp($1::float8 / 1000) FROM server WHERE organisation_id = $2`,
      [NOW, user.organisationId],
    );
  });
  const answerOf = async (query = '', as = user) => {
    const answer = await app.call('GET', `/api/servers/idle${query}`, as);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json.data as unknown as {
      servers: { hostname: string; is_connected: boolean }[];
      total: number;
      judged: number;
      unknown: { hostname: string; reason: string }[];
      unknown_total: number;
    };
  };

  it('are not known before their use is computed', async () => {
    expect(await answerOf()).toMatchObject({ servers: [], judged: 6, unknown_total: 6 });
  });

  it('are those whose CPU and memory stay low for two weeks, the connected last', async () => {
    expect(await measureServers(db.storage().serverUsages, NOW)).toBeGreaterThanOrEqual(6);
    expect(await answerOf()).toMatchObject({
      servers: [
        {
          hostname: 'idle',
          cpu_percent_p95: 1,
          memory_percent_max: 10,
          connections_mean: 1,
          memory_bytes: 2 ** 35,
          is_connected: false,
          reason: null,
        },
        { hostname: 'relay', connections_max: 40, is_connected: true },
      ],
      total: 2,
      judged: 6,
      unknown: [{ hostname: 'young', reason: 'Its use is known for 2 of 14 days; an answer needs two weeks.' }],
      unknown_total: 1,
      age_seconds: 0,
    });
    expect(await answerOf('?limit=1&offset=1')).toMatchObject({ servers: [{ hostname: 'relay' }], total: 2 });
  });

  it('are computed once an hour', async () => {
    const due = () => db.storage().serverUsages.listDue(NOW - HOUR, 500);
    expect(await due()).toEqual([]);
    expect(await db.storage().serverUsages.listDue(NOW + 1, 500)).toHaveLength(6);
  });

  it('keep the growth of their memory for the rules of alerts', async () => {
    const rows = await db.sql(
      `SELECT s.hostname, u.memory_trend->>'kind' AS kind FROM server_usage u JOIN server s ON s.key = u.server_key
        WHERE s.hostname IN ('idle', 'leaking') ORDER BY 1`,
    );
    expect(rows).toEqual([
      { hostname: 'idle', kind: 'none' },
      { hostname: 'leaking', kind: 'growing' },
    ]);
    const [leaking] = await db.sql("SELECT key FROM server WHERE hostname = 'leaking'");
    const state = await db.storage().alertStates.load(Number((leaking as { key: number } | undefined)?.key), [NOW]);
    expect(state.memoryTrend).toMatchObject({ at: NOW, trend: { kind: 'growing' } });
  });

  it('are nobody else’s', async () => {
    expect(await answerOf('', await app.newUser())).toMatchObject({ servers: [], judged: 0, unknown_total: 0 });
  });
});
