import { beforeAll, describe, expect, test } from 'vitest';
import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import { fullReport } from '../../testing/full-report.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();

interface Fleet {
  app: TestApp;
  user: TestUser;
  other: TestUser;
  agents: Record<'web' | 'db' | 'lab', TestAgent>;
}

/** web: prod in fra at 90 % CPU; db: prod in nyc at 50 %; lab: no tag, fra, 10 %. Another account has the same as web. */
async function newFleet(): Promise<Fleet> {
  const app = testApp(db.storage());
  app.clock.ms = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 1_800_000;
  const [user, other] = [await app.newUser(), await app.newUser()];
  const start = app.clock.ms;
  const grow = async (owner: TestUser, name: string, region: string, percent: number, tags: object) => {
    const agent = await app.newAgent(owner, name);
    for (let minute = 0; minute < 7; minute += 1) {
      app.clock.ms = start + minute * 60_000;
      const full = fullReport(name, app.clock.now() / 1000) as { system: object; cpu: object };
      const item = {
        ...full,
        seq: minute + 1,
        up: 100_000 + minute * 60,
        system: { ...full.system, region },
        cpu: { ...full.cpu, percent },
      };
      const body = reportsBody(agent, app.clock.now(), [item], { up_now: 100_000 + minute * 60 });
      expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
    }
    await app.call('PUT', `/api/servers/${agent.serverId}`, { token: owner.token, body: { tags } });
    return agent;
  };
  const agents = {
    web: await grow(user, 'web', 'fra', 99, { env: 'prod' }),
    db: await grow(user, 'db', 'nyc', 50, { env: 'prod' }),
    lab: await grow(user, 'lab', 'fra', 10, {}),
  };
  await grow(other, 'theirs', 'fra', 99, { env: 'prod' });
  return { app, user, other, agents };
}

describe('a scope', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await newFleet();
  });
  const read = async (path: string, who: TestUser = fleet.user) => {
    const answer = await fleet.app.call('GET', path, who);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json.data as unknown as Record<string, never>;
  };
  const named = (...names: ('web' | 'db' | 'lab')[]): string[] =>
    names.map((name) => fleet.agents[name].serverId).toSorted();

  test.each([
    ['tag:prod', ['web', 'db']],
    ['tag:env=prod,region:fra', ['web']],
    ['region:fra', ['web', 'lab']],
    ['region:fra,region:nyc,status:active', ['web', 'db', 'lab']],
    ['tag:nothing', []],
    ['', ['web', 'db', 'lab']],
  ] as const)('%j chooses servers, their counts, averages and strip', async (scope, names) => {
    const answer = (await read(`/api/servers/list?scope=${encodeURIComponent(scope)}`)) as unknown as ServersAnswer;
    const expected = named(...names);
    expect(answer.servers.map(({ id }) => id).toSorted()).toEqual(expected);
    expect(answer.fleet.map(({ server_id: id }) => id).toSorted()).toEqual(expected);
    expect([answer.total, answer.summary.total]).toEqual([expected.length, expected.length]);
  });

  test('narrows lists of every noun to its servers, and none of another account', async () => {
    const lists = [
      ['/api/data/metrics', 'metrics'],
      ['/api/data/network/metrics', 'metrics'],
      ['/api/data/network/connections', 'connections'],
      ['/api/data/processes', 'processes'],
      ['/api/data/processes?start_date=0', 'processes'],
      ['/api/data/notifications', 'alerts'],
      ['/api/data/activity', 'events'],
    ] as const;
    for (const [path, field] of lists) {
      const of = async (scope: string, who = fleet.user) => {
        const data = await read(`${path}${path.includes('?') ? '&' : '?'}scope=${scope}&limit=1000`, who);
        const rows = data[field] as unknown as { server_id: string }[];
        expect([path, data['total']]).toEqual([path, rows.length]);
        return [...new Set(rows.map(({ server_id: id }) => id))].toSorted();
      };
      const listed = await of('');
      expect([path, listed]).toEqual([path, expect.arrayContaining(named('web'))]);
      const all = (['web', 'db', 'lab'] as const).filter((name) => listed.includes(fleet.agents[name].serverId));
      expect([path, await of('tag:prod')]).toEqual([path, named(...all.filter((name) => name !== 'lab'))]);
      expect([path, await of('tag:prod,region:nyc')]).toEqual([path, named(...all.filter((name) => name === 'db'))]);
      expect([path, await of('tag:nothing')]).toEqual([path, []]);
    }
  });

  test('sums and averages series over its servers only', async () => {
    const { from, to } = { from: fleet.app.clock.ms / 1000 - 400, to: fleet.app.clock.ms / 1000 - 120 };
    const cpuOf = async (scope: string) => {
      const path = `/api/data/metrics/timeseries?start_date=${from}&end_date=${to}&buckets=10&scope=${scope}`;
      const { timeseries } = (await read(path)) as unknown as TimeseriesAnswer;
      return [...new Set(timeseries.flatMap(({ cpu }) => (cpu === null ? [] : [cpu])))];
    };
    expect(await cpuOf('tag:prod')).toEqual([74.5]);
    expect(await cpuOf('region:nyc')).toEqual([50]);
    expect(await cpuOf('tag:nothing')).toEqual([]);
    const inbound = async (scope: string) => {
      const path = `/api/data/network/timeseries?start_date=${from}&end_date=${to}&buckets=10&scope=${scope}`;
      const { timeseries } = (await read(path)) as unknown as {
        timeseries: { inbound_bytes_per_sec: number | null }[];
      };
      return Math.max(...timeseries.map(({ inbound_bytes_per_sec: rate }) => rate ?? 0));
    };
    expect(await inbound('tag:prod')).toBe(2 * (await inbound('region:nyc')));
  });

  const ROUTES = [
    '/api/servers/list',
    '/api/data/metrics',
    '/api/data/metrics/timeseries',
    '/api/data/network/timeseries',
    '/api/data/network/metrics',
    '/api/data/network/connections',
    '/api/data/processes',
    '/api/data/notifications',
    '/api/data/activity',
  ];
  test.each(ROUTES)('of %s: a bad one is 400 and names the key and the valid ones', async (path) => {
    const bad = await fleet.app.call('GET', `${path}?scope=host:a`, fleet.user);
    expect([bad.status, bad.json.field, bad.json.detail]).toEqual([
      400,
      'scope',
      'scope: "host" is not a key of a scope. Use tag, region, cluster or status',
    ]);
    expect((await fleet.app.call('GET', `${path}?scope=tag:prod`)).status).toBe(401);
  });

  test('the same words of another account reach its own servers only', async () => {
    const { servers } = (await read('/api/servers/list?scope=tag:prod', fleet.other)) as unknown as ServersAnswer;
    expect(servers.map(({ hostname }) => hostname)).toEqual(['theirs']);
  });
});
