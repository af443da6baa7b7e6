import { beforeEach, describe, expect, test } from 'vitest';
import type { ClusterAnswer, LogRequest } from '@plimsoll/contract/wire/cluster-report';
import type { LinesAnswer } from '@plimsoll/contract/wire/lines';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import * as kube from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../testing/reporting-cluster.ts';
import { collectLastWords } from './collect-last-words.ts';

const db = testStorage();
const MINUTE = 60_000;
const HEALTH = { ok: true, duration_ms: 9, error: null };

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
});

const lines = async (query = '', who: TestUser = user): Promise<LinesAnswer> => {
  const { status, json } = await app.call('GET', `/api/lines${query}`, who);
  expect([status, json.message]).toEqual([200, undefined]);
  return json.data as unknown as LinesAnswer;
};

describe('lines of a host', () => {
  let agent: TestAgent;
  const event = (id: string, type: string, message: string, more: object = {}) => ({
    id,
    event_type: type,
    service_name: null,
    process_name: null,
    message,
    severity: 'error',
    ts: app.clock.now() / 1000 - 30,
    ...more,
  });
  const feed = async (seq: number, events: object[], sources: object = { journal: HEALTH }): Promise<void> => {
    const up = 100_000 + seq * 60;
    const head = { version: '1', spool_bytes: 0, spool_oldest_age_seconds: null, retries: 0, last_error: null };
    const body = reportsBody(
      agent,
      app.clock.now(),
      [{ seq, up, events, agent: { ...head, clock_skew_seconds: 0, sources } }],
      { up_now: up },
    );
    expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
  };
  beforeEach(async () => {
    agent = await app.newAgent(user, 'db-1');
  });

  test('are its events of the kernel and errors of its journal, each once, with count, subject and server', async () => {
    const kill = event('line-1', 'oom_kill', 'Out of memory: Killed process 7 (mysqld)', { process_name: 'mysqld' });
    const error = event('line-2', 'journal_error', '12 × lost connection', { service_name: 'web.service' });
    await feed(1, [kill, error, event('3', 'service_restart', 'web restarted')]);
    // A restarted collector reads the minute again.
    await feed(2, [kill, error]);
    const answer = await lines(`?server_id=${agent.serverId}`);
    expect(answer.unavailable).toBeNull();
    expect(answer.lines.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
      {
        at: new Date(kube.NOW - 30_000).toISOString(),
        kind: 'journal_error',
        text: 'lost connection',
        count: 12,
        subject: 'web.service',
        server_id: agent.serverId,
        hostname: 'db-1',
        cluster_id: null,
        namespace: null,
        pod: null,
        container: null,
        run: null,
        ended_at: null,
      },
      expect.objectContaining({ kind: 'oom_kill', count: 1, subject: 'mysqld' }),
    ]);
    const other = await app.newAgent(user, 'web-2');
    expect((await lines(`?server_id=${other.serverId}`)).lines).toEqual([]);
    expect((await lines('', await app.newUser())).lines).toEqual([]);
    const at = (ms: number) => String((kube.NOW + ms) / 1000);
    expect((await lines(`?from=${at(-30_000)}&to=${at(-29_999)}`)).lines).toHaveLength(2);
    expect((await lines(`?from=${at(-60_000)}&to=${at(-30_000)}`)).lines).toEqual([]);
  });

  test('stay out of the activity, but for the events of the kernel', async () => {
    await feed(1, [event('line-1', 'oom_kill', 'killed'), event('line-2', 'journal_error', 'lost')]);
    const activity = async (query: string) => {
      const { json } = await app.call('GET', `/api/data/activity${query}`, user);
      return (json.data as unknown as { events: { event_type: string }[] }).events.map(({ event_type: type }) => type);
    };
    expect(await activity('')).toEqual(['oom_kill']);
    expect(await activity('?event_type=journal_error')).toEqual(['journal_error']);
  });

  test.each([
    [{}, 'The journal of this server is not read. Run its installer again with --with-journal.'],
    [{ journal: HEALTH }, null],
    [
      { journal: { ...HEALTH, ok: false, error: 'journalctl: is not installed' } },
      'The collector cannot read the journal: journalctl: is not installed',
    ],
  ])('of sources %o have the reason %s', async (sources, reason) => {
    await feed(1, [], sources);
    expect(await lines(`?server_id=${agent.serverId}`)).toEqual({ lines: [], unavailable: reason });
  });

  test('of a server without a report say so, and a foreign server is not found', async () => {
    expect((await lines(`?server_id=${agent.serverId}`)).unavailable).toContain('not reported');
    await feed(1, []);
    app.clock.ms += 61 * MINUTE;
    expect((await lines(`?server_id=${agent.serverId}`)).unavailable).toBe(
      `This server has sent no report since ${new Date(kube.NOW).toISOString()}.`,
    );
    const stranger = await app.newUser();
    expect((await app.call('GET', `/api/lines?server_id=${agent.serverId}`, stranger)).status).toBe(404);
    const swapped = await app.call('GET', '/api/lines?from=20&to=10', user);
    expect([swapped.status, swapped.json.field]).toEqual([400, 'from']);
  });

  test('go after a week, unless an alert of their server was near', async () => {
    const seen = app.clock.now();
    await feed(1, [event('line-1', 'journal_error', 'lost'), event('4', 'service_stop', 'web stopped')]);
    const stored = async () =>
      db.sql<{ event_type: string }>(
        'SELECT event_type FROM activity_event e JOIN server s ON s.key = e.server_key WHERE s.id = $1 ORDER BY 1',
        [agent.serverId],
      );
    const prune = async (days: number) => db.storage().maintenance.prune(seen + days * 24 * 60 * MINUTE);
    await db.sql(
      `INSERT INTO alert (server_key, rule, subject, metric, level, opened_at, updated_at, resolved_at, title, message)
       SELECT key, 'r', '', 'cpu_usage', 'error', to_timestamp($2), to_timestamp($2), to_timestamp($2), '', '' FROM server WHERE id = $1`,
      [agent.serverId, seen / 1000 + 1800],
    );
    await prune(8);
    expect(await stored()).toHaveLength(2);
    await db.sql('DELETE FROM alert');
    await prune(6.9);
    expect(await stored()).toHaveLength(2);
    await prune(8);
    expect((await stored()).map(({ event_type: type }) => type)).toEqual(['service_stop']);
  });
});

describe('last words', () => {
  let cluster: ReportingCluster;
  const report = async (items: unknown[] = [], reads = true): Promise<LogRequest[]> => {
    const collector = { ...kube.envelope(cluster.id).collector, reads_pod_logs: reads };
    const answer = await cluster.report(items, { collector });
    expect(answer.status).toBe(200);
    return (answer.json as unknown as ClusterAnswer).log_requests ?? [];
  };
  const run = () => collectLastWords(db.storage(), app.clock.now());
  const reply = (id: string, text: string[], failure: string | null = null) =>
    app.call('POST', '/api/agent/v1/cluster/logs', { token: cluster.token, body: { id, lines: text, failure } });
  const crash = async (name: string, times: number, reads = true): Promise<void> => {
    const pod = cluster.pod(name);
    const ends = [kube.endOf(pod, times - 1, { at: app.clock.now() / 1000 - 20, reason: 'Error', exit_code: 1 })];
    await report([kube.item({ pods: [pod], ends })], reads);
  };
  beforeEach(async () => {
    // The job works for all organisations.
    await db.sql('DELETE FROM last_words');
    await db.sql('DELETE FROM kube_container_end');
    cluster = await reportingCluster(app, user);
    await report([kube.listing({ nodes: [cluster.node('node-1')], pods: [cluster.pod('web')] })]);
  });
  const words = async (query = '') => (await lines(`?cluster_id=${cluster.id}${query}`)).lines;

  test('are requested once for each restart, and stored without secrets', async () => {
    await crash('web', 1);
    expect(await run()).toEqual({ requested: 1, stored: 0 });
    expect(await run()).toEqual({ requested: 0, stored: 0 });
    const [request, ...more] = await report();
    expect([request, more]).toEqual([expect.objectContaining({ pod: 'web', container: 'app', previous: true }), []]);
    const stamp = (seconds: number) => new Date(app.clock.now() - seconds * 1000).toISOString();
    const log = Array.from({ length: 30 }, (_, index) => `${stamp(60 - index)} line ${String(index)}`);
    await reply(request?.id ?? '', [
      ...log,
      'unable to retrieve container logs for containerd://81edf3b0d391fbb0',
      `${stamp(21)} \u001B[31mfatal\u001B[0m: password=hunter2hunter2`,
      `${stamp(21)} `,
    ]);
    expect(await run()).toEqual({ requested: 0, stored: 1 });
    const found = await words();
    expect(found).toHaveLength(20);
    expect(found[0]).toEqual({
      at: stamp(21),
      kind: 'last_words',
      text: 'fatal: password=[redacted]',
      count: 1,
      subject: null,
      server_id: expect.any(String),
      hostname: null,
      cluster_id: cluster.id,
      namespace: 'shop',
      pod: 'web',
      container: 'app',
      run: 0,
      ended_at: stamp(20),
    });
    expect(found.at(-1)?.text).toBe('line 11');
    expect(await words('&namespace=shop&pod=web')).toHaveLength(20);
    expect(await words('&pod=api')).toEqual([]);
    expect((await lines(`?cluster_id=${cluster.id}`, await app.newUser())).lines).toEqual([]);
    // The answer of the restart before is none for the next.
    app.clock.ms += MINUTE;
    await crash('web', 2);
    expect(await run()).toEqual({ requested: 1, stored: 0 });
    expect(await run()).toEqual({ requested: 0, stored: 0 });
  });

  test('of a pod that failed, like one of a Job, are those of its last run', async () => {
    const pod = cluster.pod('backup-1');
    const ends = [
      kube.endOf(pod, 0, { at: app.clock.now() / 1000 - 20, reason: 'Error', exit_code: 2, restarted: false }),
    ];
    await report([kube.item({ pods: [pod], ends })]);
    // It may still be restarted.
    expect(await run()).toEqual({ requested: 0, stored: 0 });
    await report([kube.item({ pods: [{ ...pod, phase: 'Failed' }] })]);
    expect(await run()).toEqual({ requested: 1, stored: 0 });
    const [request] = await report();
    expect(request).toMatchObject({ pod: 'backup-1', container: 'app', previous: false });
    await reply(request?.id ?? '', ['disk full']);
    expect(await run()).toEqual({ requested: 0, stored: 1 });
    expect((await words('&namespace=shop&pod=backup-1')).map(({ text }) => text)).toEqual(['disk full']);
    expect(await run()).toEqual({ requested: 0, stored: 0 });
  });

  test('of a container that waits for its next start are those of the run that ended', async () => {
    const looping = (run: number, status: 'waiting' | 'running') => {
      const container = kube.container({ status, reason: null, ready: false, restart_count: run });
      return cluster.pod('web', { ready: false, containers: [container] });
    };
    const endOf = (run: number) =>
      kube.endOf(looping(run, 'waiting'), run, {
        at: app.clock.now() / 1000 - 20,
        reason: 'Error',
        exit_code: 1,
        restarted: false,
      });
    for (const run_ of [3, 4]) {
      await report([kube.item({ pods: [looping(run_, 'waiting')], ends: [endOf(run_)] })]);
      expect(await run()).toEqual({ requested: 1, stored: 0 });
      const [request] = await report();
      expect(request).toMatchObject({ pod: 'web', container: 'app', previous: true });
      // It may be started before the answer is there.
      await report([kube.item({ pods: [looping(run_ + 1, 'running')], ends: [{ ...endOf(run_), restarted: true }] })]);
      await reply(request?.id ?? '', [`end of run ${String(run_)}`]);
      expect(await run()).toEqual({ requested: 0, stored: 1 });
      app.clock.ms += MINUTE;
    }
    const found = await words('&namespace=shop&pod=web');
    expect(found.map(({ text, run: of }) => `${text}: ${String(of)}`).toSorted()).toEqual([
      'end of run 3: 3',
      'end of run 4: 4',
    ]);
  });

  test('are not requested where the chart does not allow logs', async () => {
    await crash('web', 1, false);
    expect(await run()).toEqual({ requested: 0, stored: 0 });
    expect(await lines(`?cluster_id=${cluster.id}`)).toEqual({
      lines: [],
      unavailable: expect.stringContaining('clusterCollector.podLogs=true'),
    });
  });

  test('are requested for 20 containers of an organisation a minute', async () => {
    const pods = Array.from({ length: 30 }, (_, index) => cluster.pod(`p${String(index)}`));
    const ends = pods.map((pod) => kube.endOf(pod, 0, { at: app.clock.now() / 1000 - 20 }));
    await report([kube.item({ pods, ends })]);
    expect((await run()).requested).toBe(20);
    expect((await run()).requested).toBe(0);
    app.clock.ms += MINUTE + 1000;
    expect((await run()).requested).toBe(10);
  });

  test('that nobody answers are given up, and a failure leaves none', async () => {
    await crash('web', 1);
    await run();
    app.clock.ms += 4 * MINUTE;
    expect(await run()).toEqual({ requested: 0, stored: 0 });
    await crash('web', 2);
    await run();
    const [request] = await report();
    await reply(request?.id ?? '', [], 'previous terminated container "app" not found');
    expect(await run()).toEqual({ requested: 0, stored: 1 });
    expect(await words()).toEqual([]);
    const waiting = `SELECT FROM last_words w JOIN cluster c ON c.key = w.cluster_key WHERE c.uid = $1 AND answered_at IS NULL`;
    expect(await db.sql(waiting, [cluster.id])).toEqual([]);
  });

  test('of a pod that is gone are not requested', async () => {
    await crash('web', 1);
    await report([kube.listing({ nodes: [cluster.node('node-1')], pods: [cluster.pod('api')] })]);
    expect((await run()).requested).toBe(0);
  });
});
