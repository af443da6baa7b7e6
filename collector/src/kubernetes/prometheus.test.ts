import type { ContainerEnd, NodeObject } from '@plimsoll/contract/cluster-objects';
import { historyPart, type HistoryPart, usageItem } from '@plimsoll/contract/cluster-report';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClusterState } from './cluster-state.ts';
import type { ProjectedPod } from './pods.ts';
import { type HistoryTaker, Prometheus } from './prometheus.ts';
import { PrometheusApi } from './prometheus-api.ts';
import { cutHistory, nextWindow } from './prometheus-history.ts';
import { nodeFinder, QUERIES, readUsage } from './prometheus-usage.ts';
import { FakeTiming } from './testing/fake-timing.ts';
import { type Answerer, StandInPrometheus } from './testing/stand-in-prometheus.ts';

const DAY = 86_400;
const node = (name: string, ip: string) => ({ uid: name, name, internal_ip: ip, created_at: 0 }) as NodeObject;

describe('Prometheus', () => {
  let server: StandInPrometheus;
  let timing: FakeTiming;
  let state: ClusterState;
  let address: string;
  let api: PrometheusApi;
  let prometheus: Prometheus;
  let now: number;
  let told: HistoryPart[];
  let taker: HistoryTaker & { historyWanted: HistoryTaker['historyWanted'] };

  const pod = (name: string, parts: Partial<ProjectedPod> = {}) =>
    ({
      uid: `uid-${name}`,
      namespace: 'shop',
      name,
      node_name: 'worker',
      created_at: now - 30 * DAY,
      containers: [],
      controller: { kind: 'StatefulSet', name: 'db', uid: 'w' },
      ...parts,
    }) as unknown as ProjectedPod;
  const ends = (): ContainerEnd[] => state.draft(false).part.ends ?? [];

  beforeEach(async () => {
    server = new StandInPrometheus();
    timing = new FakeTiming();
    now = timing.now() / 1000;
    state = new ClusterState(timing);
    state.nodes.upsert(node('worker', '10.0.0.2'));
    state.pods.upsert(pod('web'));
    address = await server.start();
    api = new PrometheusApi(`${address}/`);
    prometheus = new Prometheus({ api, state, timing, log: () => undefined });
    told = [];
    taker = {
      historyWanted: null,
      tellHistory: (parts) => {
        told.push(...parts);
        return Promise.resolve(null);
      },
    };
  });
  afterEach(async () => {
    api.close();
    await server.stop();
  });

  describe('usage', () => {
    const figures: Answerer = (expression) => {
      const of = (metric: object, value: number) => [{ metric, values: [[0, String(value)] as [number, string]] }];
      if (expression === QUERIES.scrapedAt) return of({ node: 'worker' }, now - 20);
      if (expression === QUERIES.nodeCpu) return of({ node: 'worker' }, 1.5);
      if (expression === QUERIES.nodeMemory) return of({ instance: '10.0.0.2:10250' }, 2 ** 30);
      if (expression === QUERIES.podCpu) return of({ namespace: 'shop', pod: 'web' }, 0.25);
      if (expression === QUERIES.podMemory) return of({ namespace: 'shop', pod: 'web' }, 1000);
      return [];
    };

    it('is that of the nodes asked for and their pods, as old as the last scrape', async () => {
      server.answerer = figures;
      const nodes = [...state.nodes.objects.values()];
      expect(await prometheus.usage(nodes)).toEqual([
        {
          node_name: 'worker',
          source: 'prometheus',
          measured_at: now - 20,
          window_seconds: 300,
          cpu_cores: 1.5,
          memory_working_set_bytes: 2 ** 30,
          pods: [{ uid: 'uid-web', cpu_cores: 0.25, memory_working_set_bytes: 1000 }],
        },
      ]);
      expect(await prometheus.usage([node('other', '10.0.0.3')])).toEqual([]);
      expect(prometheus.reader).toMatchObject({ state: 'ok', detail: null });
    });

    it('is read from what Prometheus answered about a real cluster', async () => {
      const file = join(import.meta.dirname, '../../fixtures/kubernetes/prometheus.json');
      const captured = JSON.parse(readFileSync(file, 'utf8')) as {
        answers: Record<keyof typeof QUERIES, { metric: object; value: [number, string] }[]>;
        nodes: NodeObject[];
        pods: ProjectedPod[];
      };
      server.answerer = (expression) => {
        const [name] = Object.entries(QUERIES).find(([, query]) => query === expression) ?? [];
        const result = captured.answers[name as keyof typeof QUERIES];
        return result.map(({ metric, value }) => ({ metric, values: [value] }));
      };
      const where = new Map(captured.pods.map((one) => [`${one.namespace}/${one.name}`, one]));
      const usage = await readUsage(api, captured.nodes, (key) => where.get(key));
      expect(usage.map((item) => item.node_name)).toEqual(captured.nodes.map(({ name }) => name));
      for (const item of usage) {
        expect(usageItem.parse(item)).toBeDefined();
        const sum = item.pods.reduce((all, one) => all + (one.memory_working_set_bytes ?? 0), 0);
        expect(sum).toBeGreaterThan(0);
        expect(item.cpu_cores).toBeGreaterThan(0);
      }
      expect(usage.flatMap(({ pods }) => pods.map(({ uid }) => uid)).toSorted()).toEqual(
        captured.pods.map(({ uid }) => uid).toSorted(),
      );
    });

    it('of a node comes from node-exporter where cAdvisor does not tell it', async () => {
      server.answerer = (expression, times) => {
        const values: [number, string][] = [[0, expression === QUERIES.exporterCpu ? '0.75' : '512']];
        if (expression === QUERIES.exporterCpu || expression === QUERIES.exporterMemory)
          return [{ metric: { instance: '10.0.0.2:9100' }, values }];
        return expression === QUERIES.scrapedAt ? figures(expression, times) : [];
      };
      const [usage] = await prometheus.usage([node('worker', '10.0.0.2')]);
      expect(usage).toMatchObject({ cpu_cores: 0.75, memory_working_set_bytes: 512, pods: [] });
    });

    it('costs no question where a better source speaks for every node', async () => {
      expect(await prometheus.usage([])).toEqual([]);
      expect(server.seen).toEqual([]);
    });
  });

  it.each([
    [
      '401',
      { status: 401, body: 'secret realm' },
      'forbidden',
      'wants credentials: set prometheus.tokenSecret (status 401)',
    ],
    ['403', { status: 403, body: '' }, 'forbidden', 'refuses our credentials (status 403)'],
    ['404', { status: 404, body: 'not found' }, 'absent', 'no Prometheus API at this address (status 404)'],
    [
      'a redirect',
      { status: 302, body: '', headers: { location: 'http://169.254.169.254/' } },
      'down',
      'redirects elsewhere, which is not followed (status 302)',
    ],
    ['503', { status: 503, body: 'secret text' }, 'down', 'cannot answer (status 503)'],
    [
      'a query it gives up on',
      { status: 422, body: '{"status":"error","errorType":"execution","error":"secret"}' },
      'down',
      'cannot answer: execution (status 422)',
    ],
    [
      'something that is no Prometheus',
      { status: 200, body: '<html>' },
      'down',
      'what answers at this address is not Prometheus, or its answer is too large',
    ],
    [
      'JSON of something else',
      { status: 200, body: '{"status":"success"}' },
      'down',
      'what answers at this address is not Prometheus, or its answer is too large',
    ],
  ])('%s is named and never repeats what the answer says', async (_what, fault, reason, detail) => {
    server.fault = fault;
    expect(await prometheus.usage([...state.nodes.objects.values()])).toEqual([]);
    expect(prometheus.reader).toMatchObject({ name: 'prometheus', state: reason, detail, since: now });
  });

  it('an address where nobody answers is named, and asked less and less often', async () => {
    const nobody = new StandInPrometheus();
    const gone = new PrometheusApi(await nobody.start());
    await nobody.stop();
    prometheus = new Prometheus({ api: gone, state, timing, log: () => undefined });
    const waits = [await prometheus.turn(null), await prometheus.turn(null), await prometheus.turn(null)];
    expect(prometheus.reader).toMatchObject({ state: 'unreachable', detail: expect.stringContaining('ECONNREFUSED') });
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBeGreaterThan(30_000);
  });

  it('a Prometheus that falls silent holds nothing up for longer than its patience', async () => {
    server.fault = 'silence';
    const hasty = new PrometheusApi(address, undefined, 20);
    await expect(hasty.query('up')).rejects.toMatchObject({
      state: 'unreachable',
      message: expect.stringContaining('no answer for'),
    });
    hasty.close();
  });

  it('a bearer token goes along', async () => {
    const signed = new PrometheusApi(address, () => Promise.resolve('token'));
    await signed.query('up');
    signed.close();
    expect(server.seen).toEqual([{ path: '/api/v1/query', expression: 'up', authorization: 'Bearer token' }]);
  });

  describe('restarts of before', () => {
    /** One container that stood at 7 a day ago and was restarted an hour and ten minutes ago, as every step tells it. */
    const counts =
      (labels: object): Answerer =>
      (expression, times) => {
        const count = (at: number) => (at > now - 600 ? '9' : at > now - 3600 ? '8' : '7');
        if (expression.startsWith('max by (namespace, pod, uid, container)'))
          return [
            { metric: { namespace: 'shop', container: 'app', ...labels }, values: times.map((at) => [at, count(at)]) },
          ];
        const owner = { namespace: 'shop', pod: 'gone', owner_kind: 'ReplicaSet', owner_name: 'api-1' };
        const above = { namespace: 'shop', replicaset: 'api-1', owner_kind: 'Deployment', owner_name: 'api' };
        if (expression.includes('kube_pod_owner')) return [{ metric: owner, values: [[0, '1']] }];
        return expression.includes('kube_replicaset_owner') ? [{ metric: above, values: [[0, '1']] }] : [];
      };

    it('are the runs that ended in the last 24 hours, told once', async () => {
      server.answerer = counts({ pod: 'web', uid: 'uid-web' });
      await prometheus.turn(taker);
      await prometheus.turn(taker);
      const told = ends();
      expect(told.map(({ run, restarted, reason }) => ({ run, restarted, reason }))).toEqual([
        { run: 7, restarted: true, reason: null },
        { run: 8, restarted: true, reason: null },
      ]);
      const ages = told.map(({ at }) => now - at);
      expect(ages[0]).toBeGreaterThanOrEqual(3300);
      expect(ages[0]).toBeLessThanOrEqual(3600);
      expect(told[0]).toMatchObject({
        pod_uid: 'uid-web',
        node_name: 'worker',
        owner: { kind: 'StatefulSet', name: 'db' },
      });
      expect(server.seen.filter(({ path }) => path.endsWith('query_range'))).toHaveLength(1);
    });

    it('of a pod that is gone name its owner', async () => {
      server.answerer = counts({ pod: 'gone', uid: 'uid-gone' });
      await prometheus.turn(taker);
      expect(ends()).toMatchObject([
        { pod_uid: 'uid-gone', node_name: null, owner: { kind: 'Deployment', name: 'api' } },
        { run: 8 },
      ]);
    });

    it('of metrics without a uid are the living pod’s, and not those of a namesake before it', async () => {
      server.answerer = counts({ pod: 'young' });
      state.pods.upsert(pod('young', { created_at: now - 1800 }));
      await prometheus.turn(taker);
      expect(ends()).toMatchObject([{ pod_uid: 'uid-young', run: 8 }]);
    });
  });

  describe('history', () => {
    const bucket = (seconds: number) => Math.floor(seconds / 300) * 300;
    const steady: Answerer = (expression, times) => {
      const of = (metric: object, value: string) => [
        { metric, values: times.map((at): [number, string] => [at, value]) },
      ];
      if (expression === QUERIES.nodeCpu) return of({ node: 'worker' }, '0.123456');
      if (expression === QUERIES.podCpu) return of({ namespace: 'shop', pod: 'web' }, '0.5');
      return expression === QUERIES.podMemory ? of({ namespace: 'shop', pod: 'strange' }, '5') : [];
    };

    it('is told window by window, newest first, until nothing is wanted', async () => {
      server.answerer = steady;
      const [from, to] = [bucket(now) - 2 * DAY - 3600, bucket(now)];
      taker.historyWanted = { from, to };
      for (let turn = 0; turn < 5; turn += 1) await prometheus.turn(taker);
      expect(told.map((part) => [part.from, part.to, part.complete])).toEqual([
        [to - DAY, to, true],
        [to - 2 * DAY, to - DAY, true],
        [from, to - 2 * DAY, true],
      ]);
      for (const part of told) expect(historyPart.parse(part)).toBeDefined();
      const [first] = told[0]?.nodes ?? [];
      expect(first).toMatchObject({ node_name: 'worker', pods: ['uid-web'] });
      expect(new Set(first?.cpu_cores)).toEqual(new Set([0.1235]));
      expect(new Set(first?.pod_cpu_cores)).toEqual(new Set([0.5]));
      expect(new Set(first?.pod_memory_bytes)).toEqual(new Set([null]));
    });

    it('holds nothing of a namesake from before the pod was made', async () => {
      server.answerer = steady;
      state.pods.upsert(pod('web', { created_at: bucket(now) - 900 }));
      taker.historyWanted = { from: bucket(now) - 1800, to: bucket(now) };
      await prometheus.turn(taker);
      expect(told[0]?.nodes[0]?.pod_cpu_cores).toEqual([null, null, null, 0.5, 0.5, 0.5]);
    });

    it('that did not arrive is told again', async () => {
      server.answerer = steady;
      taker.historyWanted = { from: bucket(now) - 600, to: bucket(now) };
      taker.tellHistory = (parts) => {
        told.push(...parts);
        return Promise.resolve(told.length === 1 ? 17_000 : null);
      };
      expect(await prometheus.turn(taker)).toBe(17_000);
      await prometheus.turn(taker);
      expect(told[1]).toEqual(told[0]);
    });

    it('is asked for in windows that fit the size of the cluster, and told in items that fit a request', () => {
      const wanted = { from: 0, to: 7 * DAY };
      expect(nextWindow(wanted, 30)).toEqual({ from: 6 * DAY, to: 7 * DAY });
      expect(nextWindow(wanted, 10_000)).toEqual({ from: 7 * DAY - 3600, to: 7 * DAY });
      expect(nextWindow({ from: 0, to: 300 }, 0)).toEqual({ from: 0, to: 300 });
      const numbers = Array.from({ length: 288 * 100 }, () => 1);
      const large = {
        node_name: 'n',
        cpu_cores: [],
        memory_bytes: [],
        pods: [],
        pod_cpu_cores: numbers,
        pod_memory_bytes: numbers,
      };
      const parts = cutHistory({ from: 0, to: DAY }, [large, large, large]);
      expect(parts.map(({ nodes, complete }) => [nodes.length, complete])).toEqual([
        [2, false],
        [1, true],
      ]);
    });
  });

  describe('kube-state-metrics alone', () => {
    const restarts = (count: number) =>
      `kube_pod_container_status_restarts_total{namespace="shop",pod="gone",uid="uid-gone",container="app"} ${count}`;
    const text = (...lines: string[]) => ['# HELP kube_pod_owner Information', ...lines, ''].join('\n');
    const OWNERS = [
      'kube_pod_owner{namespace="shop",pod="gone",uid="uid-gone",owner_kind="ReplicaSet",owner_name="api-1",owner_is_controller="true"} 1',
      'kube_replicaset_owner{namespace="shop",replicaset="api-1",owner_kind="Deployment",owner_name="api",owner_is_controller="true"} 1',
    ];
    beforeEach(() => {
      server.answerer = null;
    });

    it('is found out; what is restarted between two looks is told, with its owner', async () => {
      server.metrics = text(...OWNERS, restarts(4));
      await prometheus.turn(taker);
      expect(prometheus.reader.state).toBe('absent');
      await prometheus.turn(taker);
      expect(prometheus.reader).toMatchObject({ state: 'ok', detail: expect.stringContaining('without Prometheus') });
      expect(ends()).toEqual([]);
      server.metrics = text(restarts(6), ...OWNERS);
      await prometheus.turn(taker);
      expect(ends()).toMatchObject([
        { pod_uid: 'uid-gone', run: 4, at: now, owner: { kind: 'Deployment', name: 'api' } },
        { pod_uid: 'uid-gone', run: 5 },
      ]);
      expect(await prometheus.usage([...state.nodes.objects.values()])).toEqual([]);
    });

    it('is not taken for any other page of metrics', async () => {
      server.metrics = 'process_cpu_seconds_total 1\n';
      await prometheus.turn(taker);
      await prometheus.turn(taker);
      expect(prometheus.reader).toMatchObject({ state: 'absent', detail: expect.stringContaining('neither') });
    });
  });

  it('finds a node by name or by the address that was scraped', () => {
    const find = nodeFinder([node('a', '10.0.0.1'), node('b', 'fd00::2')]);
    expect(find({ node: 'a', instance: '10.9.9.9:1' })?.name).toBe('a');
    expect(find({ instance: '10.0.0.1:9100' })?.name).toBe('a');
    expect(find({ instance: '[fd00::2]:10250' })?.name).toBe('b');
    expect(find({ kubernetes_io_hostname: 'b', instance: 'elsewhere' })?.name).toBe('b');
    expect(find({ instance: 'elsewhere:9100' })).toBeNull();
  });
});
