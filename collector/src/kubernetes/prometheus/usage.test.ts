import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import { usageItem } from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProjectedPod } from '../watch/pods.ts';
import type { Series } from './api.ts';
import { nodeFinder, QUERIES, readUsage, usageOf } from './usage.ts';
import { captured } from '../testing/captured.ts';
import { nodeAt, prometheusRig, type PrometheusRig } from '../testing/prometheus-rig.ts';
import type { Answerer } from '../testing/stand-in-prometheus.ts';

describe('usage', () => {
  let rig: PrometheusRig;
  const figures: Answerer = (expression) => {
    const of = (metric: object, value: number) => [{ metric, values: [[0, String(value)] as [number, string]] }];
    if (expression === QUERIES.scrapedAt) return of({ node: 'worker' }, rig.now - 20);
    if (expression === QUERIES.nodeCpu) return of({ node: 'worker' }, 1.5);
    if (expression === QUERIES.nodeMemory) return of({ instance: '10.0.0.2:10250' }, 2 ** 30);
    if (expression === QUERIES.podCpu) return of({ namespace: 'shop', pod: 'web' }, 0.25);
    if (expression === QUERIES.podMemory) return of({ namespace: 'shop', pod: 'web' }, 1000);
    return [];
  };
  beforeEach(async () => {
    rig = await prometheusRig();
  });

  it('is that of the nodes asked for and their pods, as old as the last scrape', async () => {
    const { server, prometheus, state, now } = rig;
    server.answerer = figures;
    expect(await prometheus.usage([...state.nodes.objects.values()])).toEqual([
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
    expect(await prometheus.usage([nodeAt('other', '10.0.0.3')])).toEqual([]);
    expect(prometheus.reader).toMatchObject({ state: 'ok', detail: null });
  });

  it('is read from what Prometheus answered about a real cluster', async () => {
    const { server, api } = rig;
    const real = captured('prometheus') as {
      answers: Record<keyof typeof QUERIES, { metric: object; value: [number, string] }[]>;
      nodes: NodeObject[];
      pods: ProjectedPod[];
    };
    server.answerer = (expression) => {
      const [name] = Object.entries(QUERIES).find(([, query]) => query === expression) ?? [];
      const result = real.answers[name as keyof typeof QUERIES];
      return result.map(({ metric, value }) => ({ metric, values: [value] }));
    };
    const where = new Map(real.pods.map((one) => [`${one.namespace}/${one.name}`, one]));
    const usage = await readUsage(api, real.nodes, (key) => where.get(key));
    expect(usage.map((item) => item.node_name)).toEqual(real.nodes.map(({ name }) => name));
    for (const item of usage) {
      expect(usageItem.parse(item)).toBeDefined();
      const sum = item.pods.reduce((all, one) => all + (one.memory_working_set_bytes ?? 0), 0);
      expect(sum).toBeGreaterThan(0);
      expect(item.cpu_cores).toBeGreaterThan(0);
    }
    expect(usage.flatMap(({ pods }) => pods.map(({ uid }) => uid)).toSorted()).toEqual(
      real.pods.map(({ uid }) => uid).toSorted(),
    );
  });

  it('is as old as the newest of two scrapes, whichever comes first', async () => {
    for (const ages of [
      [20, 20.5],
      [20.5, 20],
    ]) {
      rig.server.answerer = (expression, times) =>
        expression === QUERIES.scrapedAt
          ? ages.map((age) => ({
              metric: { node: 'worker' },
              values: [[0, String(rig.now - age)] as [number, string]],
            }))
          : figures(expression, times);
      expect(await rig.prometheus.usage([nodeAt('worker', '10.0.0.2')])).toMatchObject([{ measured_at: rig.now - 20 }]);
    }
  });

  it.each([
    ['memory', QUERIES.nodeMemory, { cpu_cores: 1.5, memory_working_set_bytes: null }, false],
    ['CPU', QUERIES.nodeCpu, { cpu_cores: 0.75, memory_working_set_bytes: 512 }, true],
  ])(
    'of a node is asked of node-exporter only where cAdvisor has no CPU: without its %s',
    async (_, missing, usage, isAsked) => {
      const { server, prometheus } = rig;
      const asked = new Set<string>();
      server.answerer = (expression, times) => {
        asked.add(expression);
        if (expression === missing) return [];
        if (expression === QUERIES.exporterCpu) return [{ metric: { node: 'worker' }, values: [[0, '0.75']] }];
        if (expression === QUERIES.exporterMemory) return [{ metric: { node: 'worker' }, values: [[0, '512']] }];
        return figures(expression, times);
      };
      const found = await prometheus.usage([nodeAt('worker', '10.0.0.2')]);
      expect(found).toMatchObject([usage]);
      expect([asked.has(QUERIES.exporterCpu), asked.has(QUERIES.exporterMemory)]).toEqual([isAsked, isAsked]);
    },
  );

  it('of a node comes from node-exporter where cAdvisor does not tell it', async () => {
    const { server, prometheus } = rig;
    server.answerer = (expression, times) => {
      const values: [number, string][] = [[0, expression === QUERIES.exporterCpu ? '0.75' : '512']];
      if (expression === QUERIES.exporterCpu || expression === QUERIES.exporterMemory)
        return [{ metric: { instance: '10.0.0.2:9100' }, values }];
      return expression === QUERIES.scrapedAt ? figures(expression, times) : [];
    };
    const [usage] = await prometheus.usage([nodeAt('worker', '10.0.0.2')]);
    expect(usage).toMatchObject({ cpu_cores: 0.75, memory_working_set_bytes: 512, pods: [] });
  });

  it('that is no number is none: it is never told as nothing used', async () => {
    const { server, prometheus } = rig;
    server.answerer = (expression, times) => {
      const isCpu = expression === QUERIES.nodeCpu || expression === QUERIES.podCpu;
      return figures(expression, times).map(({ metric, values }) => ({
        metric,
        values: values.map(([at, text]): [number, string] => [at, isCpu ? 'NaN' : text]),
      }));
    };
    const [usage] = await prometheus.usage([nodeAt('worker', '10.0.0.2')]);
    expect(usage).toMatchObject({
      cpu_cores: null,
      memory_working_set_bytes: 2 ** 30,
      pods: [{ uid: 'uid-web', cpu_cores: null, memory_working_set_bytes: 1000 }],
    });
  });

  it('costs no question where a better source speaks for every node', async () => {
    expect(await rig.prometheus.usage([])).toEqual([]);
    expect(rig.server.seen).toEqual([]);
  });
});

describe('usageOf', () => {
  const nodes = [nodeAt('a', '10.0.0.1'), nodeAt('b', '10.0.0.2')];
  const of = (labels: Series['labels'], value?: number): Series => ({
    labels,
    values: value === undefined ? [] : [[0, value]],
  });
  const none = { scrapedAt: [], nodeCpu: [], nodeMemory: [], podCpu: [], podMemory: [] };
  const nowhere = (): undefined => undefined;

  it('leaves out a node that nobody scraped: a figure without an age is none', () => {
    const readings = {
      ...none,
      nodeCpu: [of({ node: 'a' }, 1), of({ node: 'b' }, 2)],
      scrapedAt: [of({ node: 'b' }, 50)],
    };
    expect(usageOf(nodes, nowhere, readings).map(({ node_name, cpu_cores }) => [node_name, cpu_cores])).toEqual([
      ['b', 2],
    ]);
    expect(usageOf(nodes, nowhere, { ...none, scrapedAt: [of({ node: 'a' })] })).toEqual([]);
  });

  it('is as old as the youngest scrape of the node', () => {
    for (const scrapedAt of [
      [of({ node: 'a' }, 50), of({ instance: '10.0.0.1:9100' }, 70)],
      [of({ node: 'a' }, 70), of({ node: 'a' }, 50)],
    ])
      expect(usageOf(nodes, nowhere, { ...none, scrapedAt })).toMatchObject([{ node_name: 'a', measured_at: 70 }]);
  });

  it('takes nothing that is about a node or a pod of another cluster', () => {
    const scrapedAt = [of({ node: 'a' }, 50), of({ node: 'stranger' }, 50), of({}, 50)];
    const podMemory = [of({ namespace: 'shop', pod: 'stranger' }, 1), of({}, 2)];
    const findPod = (key: string) => (key === 'shop/web' ? { uid: 'u', node_name: 'a' } : undefined);
    expect(usageOf(nodes, findPod, { ...none, scrapedAt, podMemory })).toMatchObject([{ node_name: 'a', pods: [] }]);
  });

  it('leaves out a pod that runs nowhere yet, and more pods than a node can hold', () => {
    const scrapedAt = [of({ node: 'a' }, 50)];
    const podMemory = Array.from({ length: CLUSTER_LIMITS.podsPerNode + 5 }, (_, i) =>
      of({ namespace: 'n', pod: `p${i}` }, i),
    );
    const found = (node_name: string | null) => (key: string) => ({ uid: key, node_name });
    expect(usageOf(nodes, found(null), { ...none, scrapedAt, podMemory })[0]?.pods).toEqual([]);
    expect(usageOf(nodes, found('a'), { ...none, scrapedAt, podMemory })[0]?.pods).toHaveLength(
      CLUSTER_LIMITS.podsPerNode,
    );
  });
});

it('finds a node by name or by the address that was scraped', () => {
  const find = nodeFinder([nodeAt('a', '10.0.0.1'), nodeAt('b', 'fd00::2')]);
  expect(find({ node: 'a', instance: '10.9.9.9:1' })?.name).toBe('a');
  expect(find({ instance: '10.0.0.1:9100' })?.name).toBe('a');
  expect(find({ instance: '[fd00::2]:10250' })?.name).toBe('b');
  expect(find({ kubernetes_io_hostname: 'b', instance: 'elsewhere' })?.name).toBe('b');
  expect(find({ instance: 'elsewhere:9100' })).toBeNull();
});

it('finds no node by an address that several have, as virtual nodes do', () => {
  const find = nodeFinder(['a', 'b', 'c'].map((name) => nodeAt(name, name === 'c' ? '10.0.0.2' : '10.0.0.1')));
  expect(find({ instance: '10.0.0.1:10250' })).toBeNull();
  expect([find({ node: 'b', instance: '10.0.0.1:10250' })?.name, find({ instance: '10.0.0.2:1' })?.name]).toEqual([
    'b',
    'c',
  ]);
});
