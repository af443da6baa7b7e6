import { beforeEach, expect, it } from 'vitest';
import { type Owner, ownerOf } from '../../tenancy/owner.ts';
import { ChangeFeed } from '../../live/change-feed.ts';
import { sendDue } from '../../notify/send-due.ts';
import type { Notification } from '../../notify/types.ts';
import type { Agent } from '../../servers/types.ts';
import { TestClock, testApp } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { reportingCluster } from '../../testing/reporting-cluster.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { changeAt, driversOf, newChannel, saveChanges, testSecretBox } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';
import { watch } from '../evaluation/evaluate-batch.ts';
import { markSilentJob } from '../jobs.ts';
import { RuleCache } from '../rule-cache.ts';
import { DEFAULT_LINES } from '../load-lines.ts';
import { DEFAULT_RULES } from '../rules/rules.ts';

const db = testStorage();
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const START = Date.parse('2026-02-01T12:00:00Z');

let clock: TestClock;
let owner: Owner;
let agents: Agent[];
let sent: { at: number; channel: string; title: string; lines: readonly string[] }[];
let seq: number;

beforeEach(async () => {
  await db.sql('DELETE FROM notify_channel');
  await db.sql('TRUNCATE server CASCADE');
  await db.sql('DELETE FROM ingest_watch');
  clock = new TestClock(START);
  owner = ownerOf(await newAccount(db.storage()));
  agents = [];
  sent = [];
  seq = 0;
});

const enrol = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1)
    agents.push(await enrolledAgent(db.storage(), owner.organisationId, `web-${String(i + 1)}`));
};
/** Reports as the API accepts them: stored, then evaluated. */
const report = async (agent: Agent, cpu: number | null = 10): Promise<void> => {
  seq += 1;
  const parts = cpu === null ? {} : { cpu: { ...CPU, percent: cpu } };
  const batch = batchOf(agent, [itemOf(seq, clock.now(), parts)], { receivedAt: clock.now() });
  const storage = db.storage();
  const result = await storage.reports.accept(batch);
  if (!('storedSeqs' in result)) throw new Error('the report was refused');
  await watch(storage.alertStates, batch, result, { thresholds: DEFAULT_RULES, lines: DEFAULT_LINES });
};
const CPU = { io_wait_percent: 0, steal_percent: 0, user_percent: 0, system_percent: 0, per_core_percent: [1] };
const job = () => {
  const changes = new ChangeFeed();
  const rules = db.storage().alertRules;
  const alertRules = new RuleCache({ rules, changes, clock, reportIntervalSeconds: 60 });
  return markSilentJob({ ...db.storage(), alertRules, changes, reportIntervalSeconds: 60 });
};
const send = () =>
  sendDue({
    storage: db.storage(),
    outbox: db.storage().notify.outbox,
    alertActing: db.storage().alertActing,
    drivers: driversOf({
      send: (target, { title, lines }: Notification) => {
        sent.push({ at: clock.now(), channel: JSON.stringify(target.settings), title, lines });
        return Promise.resolve({ outcome: 'delivered', detail: 'ok' });
      },
    }),
    secretBox: testSecretBox,
    clock,
    publicUrl: null,
    random: () => 1,
    observe: () => {},
  });
/** Runs job and sender as the scheduler does; `every` runs each minute. */
const run = async (ms: number, every: (minute: number) => Promise<void> = () => Promise.resolve()): Promise<void> => {
  for (let passed = 0; passed < ms; passed += 5 * SECOND) {
    if (passed % MINUTE === 0) await every(passed / MINUTE);
    if (passed % (15 * SECOND) === 0) await job().run(clock.now());
    await send();
    clock.pass(5);
  }
};
const titles = () => sent.map(({ title }) => title);
const channel = () => newChannel(db.storage(), owner.organisationId, clock.now());
const incidents = async () => (await db.storage().incidents.list(owner, {}, { limit: 100, offset: 0 })).incidents;
/** Servers have reported each minute for long enough that nothing is paused. */
const settle = async (): Promise<void> => {
  await run(6 * MINUTE, async () => {
    for (const agent of agents) await report(agent);
  });
  clock.pass(-5);
};

it('a server that stops is one message 180–240 s after its last report, and one when it is back', async () => {
  await enrol(2);
  await channel();
  await settle();
  const stoppedAt = clock.now() - 55 * SECOND;
  await run(10 * MINUTE, () => report(agents[1]!));
  expect(titles()).toEqual(['web-1: No report for 3 min']);
  const after = ((sent[0]?.at ?? 0) - stoppedAt) / SECOND;
  expect([after >= 180, after <= 240]).toEqual([true, true]);
  await run(MINUTE, async () => {
    for (const agent of agents) await report(agent);
  });
  expect(titles()[1]).toMatch(/^web-1: Resolved after \d+ min: Server is offline$/);
  expect(await incidents()).toMatchObject([{ cause: 'offline', level: 'critical', alerts: 1, hostname: 'web-1' }]);
  expect((await incidents())[0]?.resolvedAt).not.toBeNull();
});

it.each([3, 500])(
  '%d servers that stop at once are one message per channel, and its end another',
  async (count) => {
    await enrol(count);
    await Promise.all([channel(), channel()]);
    // Reports are spread over the minute, so the servers become silent one after another.
    for (const [index, agent] of agents.entries()) {
      clock.ms = START - MINUTE + Math.floor((index * MINUTE) / count);
      await report(agent);
    }
    clock.ms = START;
    await db.sql(`INSERT INTO ingest_watch (seen_at, received_at, paused_until)
    VALUES (to_timestamp(${String(START / 1000)}), to_timestamp(${String(START / 1000)}), to_timestamp(0))`);
    await run(8 * MINUTE);
    const title = /^Plimsoll: Ingest outage: \d+ of \d+ servers are silent$/;
    expect(titles()).toEqual([expect.stringMatching(title), expect.stringMatching(title)]);
    expect(new Set(sent.map(({ at }) => at)).size).toBe(1);
    expect(await incidents()).toMatchObject([
      { cause: 'ingest_outage', level: 'critical', resolvedAt: null, serverId: null, counts: { ingest_outage: 1 } },
    ]);
    // The servers come back one after another; the last of them two minutes later.
    const half = Math.ceil(count / 2) + 1;
    for (const agent of agents.slice(0, half)) await report(agent);
    await run(2 * MINUTE);
    for (const agent of agents) await report(agent);
    await run(2 * MINUTE, async () => {
      for (const agent of agents) await report(agent);
    });
    expect(titles().slice(2)).toEqual([
      expect.stringMatching(/^Plimsoll: Resolved after \d+ min/),
      expect.stringMatching(/^Plimsoll: Resolved after \d+ min/),
    ]);
    expect((await incidents()).map(({ resolvedAt }) => resolvedAt !== null)).toEqual([true]);
  },
  120_000,
);

it('servers that stay silent after an outage get alerts of their own', async () => {
  await enrol(5);
  await channel();
  await settle();
  await run(5 * MINUTE);
  expect(titles()).toEqual(['Plimsoll: Ingest outage: 5 of 5 servers are silent']);
  await run(12 * MINUTE, async () => {
    for (const agent of agents.slice(1)) await report(agent);
  });
  expect(titles().slice(1).toSorted()).toEqual([
    expect.stringMatching(/^Plimsoll: Resolved/),
    expect.stringMatching(/^web-1: No report for 3 min$/),
  ]);
});

it('a server that is down folds its other alerts; one that outlasts it is sent later', async () => {
  await enrol(2);
  const [first, second] = agents as [Agent, Agent];
  await channel();
  await settle();
  // The alert opens with the last report of the server: its message is held until the silence is judged.
  const opened = changeAt(clock.now(), { value: 91, metric: 'cpu_usage', rule: 'default-cpu' });
  await report(first);
  await saveChanges(db.storage(), first.serverKey, opened);
  clock.pass(-55);
  await db.sql('UPDATE report_stream SET last_received_at = to_timestamp($1) WHERE server_key = $2', [
    clock.now() / 1000,
    first.serverKey,
  ]);
  clock.pass(55);
  await run(5 * MINUTE, () => report(second));
  expect(sent).toMatchObject([{ title: 'web-1: No report for 3 min', lines: ['1 more alert has this cause'] }]);
  const [incident] = await incidents();
  expect(incident).toMatchObject({ cause: 'offline', alerts: 2, folded: 1, counts: { offline: 1, cpu_usage: 1 } });
  const both = async (): Promise<void> => {
    await report(first, null);
    await report(second);
  };
  await run(2 * MINUTE, both);
  expect(titles().slice(1)).toEqual([expect.stringMatching(/^web-1: Resolved after/)]);
  await run(4 * MINUTE, both);
  expect(titles().slice(2)).toEqual([expect.stringMatching(/^web-1: CPU 91 %/)]);
  expect(await incidents()).toMatchObject([{ id: incident?.id, cause: 'cpu_usage', folded: 0, resolvedAt: null }]);
});

it('alerts of one server share an incident, which ends with the last of them', async () => {
  await enrol(1);
  const { serverKey } = agents[0]!;
  const save = (parts: Parameters<typeof changeAt>[1]) =>
    saveChanges(db.storage(), serverKey, changeAt(clock.now(), parts));
  const cpu = { rule: 'default-cpu', metric: 'cpu_usage' };
  await save({});
  await save({ ...cpu, level: 'critical', title: 'CPU usage above 95%' });
  expect(await incidents()).toMatchObject([
    { cause: 'cpu_usage', level: 'critical', title: 'CPU usage above 95%', alerts: 2, folded: 0 },
  ]);
  await save({ ...cpu, kind: 'resolved' });
  expect(await incidents()).toMatchObject([{ cause: 'memory_usage', level: 'warning', resolvedAt: null }]);
  clock.pass(60);
  await save({ kind: 'resolved' });
  expect(await incidents()).toMatchObject([{ alerts: 2, resolvedAt: START + MINUTE }]);
  await save({});
  expect((await incidents()).map(({ resolvedAt }) => resolvedAt === null)).toEqual([true, false]);
  const [newest] = await incidents();
  const found = await db.storage().incidents.get(owner, newest?.id ?? '', 10);
  expect(found?.members).toMatchObject([{ metric: 'memory_usage', hostname: 'web-1', isFolded: false }]);
  expect(await db.storage().incidents.get(ownerOf(await newAccount(db.storage())), newest?.id ?? '', 10)).toBeNull();
});

it('ten replicas that open alerts of a server at once open one incident', async () => {
  await enrol(1);
  const { serverKey } = agents[0]!;
  const open = async (index: number): Promise<void> => {
    const change = changeAt(clock.now(), { rule: `rule-${String(index)}` });
    for (;;) {
      const { version, tracks } = await db.storage().alertStates.load(serverKey, [clock.now()]);
      if (await db.storage().alertStates.save(serverKey, version, tracks, [change])) return;
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, index) => open(index)));
  expect(await incidents()).toMatchObject([{ alerts: 10, resolvedAt: null }]);
  await Promise.all(
    [0, 1].map(() => db.storage().incidents.openOutage({ ...OUTAGE, organisationId: owner.organisationId }, START)),
  );
  expect((await incidents()).map(({ cause, alerts }) => [cause, alerts])).toContainEqual(['ingest_outage', 1]);
  const listed = async (of: typeof owner) =>
    (await db.storage().alerts.list(of, {}, { limit: 100, offset: 0 }, START)).alerts;
  const outages = (await listed(owner)).filter(({ metric }) => metric === 'ingest_outage');
  expect(outages).toMatchObject([{ hostname: 'all servers', serverId: null, status: 'active' }]);
  expect(await listed(ownerOf(await newAccount(db.storage())))).toEqual([]);
  await Promise.all([0, 1].map(() => db.storage().incidents.endOutage(owner.organisationId, START)));
  expect((await incidents()).filter(({ resolvedAt }) => resolvedAt === null)).toMatchObject([{ alerts: 10 }]);
});
const OUTAGE = { silent: 3, servers: 3, title: 't', message: 'm' };

it('a node that is not ready folds the alerts of its pods, and its host folds both', async () => {
  const app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  clock = app.clock;
  const user = await app.newUser();
  owner = ownerOf(user.organisationId);
  const cluster = await reportingCluster(app, user);
  await cluster.report([kube.listing({ nodes: [cluster.node('node-1'), cluster.node('node-2')] })]);
  const body = { node_name: 'node-1', boot_id: 'b', hostname: 'node-1' };
  const enrolled = await app.call('POST', '/api/agent/v1/nodes/enrol', { token: cluster.token, body });
  expect(enrolled.status).toBe(200);
  const [{ cluster_key: clusterKey, server_key: serverKey } = { cluster_key: 0, server_key: 0 }] = await db.sql<{
    cluster_key: number;
    server_key: number;
  }>('SELECT n.cluster_key, s.key AS server_key FROM kube_node n JOIN server s ON s.id = n.server_id');
  await channel();
  const open = (metric: string, name: string, nodes: string[], workloadKind: string | null) =>
    db.storage().clusterAlerts.open(clusterKey, {
      ...changeAt(clock.now(), {
        rule: `default-${metric}`,
        metric,
        subject: name,
        title: `${metric} ${name}`,
        value: null,
      }),
      place: { namespace: workloadKind === null ? null : 'shop', workloadKind, name, nodes },
    });
  await open('pod_restarts', 'api', ['node-1'], 'Deployment');
  await open('pod_restarts', 'web', ['node-1', 'node-2'], 'Deployment');
  await open('node_not_ready', 'node-1', ['node-1'], null);
  const shown = async () =>
    (await incidents())
      .filter(({ resolvedAt }) => resolvedAt === null)
      .toSorted((a, b) => (a.cause < b.cause ? -1 : 1))
      .map(({ cause, alerts, folded }) => [cause, alerts, folded]);
  expect(await shown()).toEqual([
    ['node_not_ready', 2, 1],
    ['pod_restarts', 1, 0],
  ]);
  clock.pass(30);
  await send();
  expect(titles().toSorted()).toEqual(['test: node-1: m, for 5 min', 'test: shop/web: m, line 80 restarts']);
  const offline = { rule: 'default-offline', metric: 'offline', level: 'critical', value: null } as const;
  await saveChanges(db.storage(), serverKey, changeAt(clock.now(), offline));
  expect(await shown()).toEqual([
    ['offline', 3, 2],
    ['pod_restarts', 1, 0],
  ]);
  await saveChanges(db.storage(), serverKey, changeAt(clock.now(), { ...offline, kind: 'resolved' }));
  expect(await shown()).toEqual([
    ['node_not_ready', 2, 1],
    ['pod_restarts', 1, 0],
  ]);
});
