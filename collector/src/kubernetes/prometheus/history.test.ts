import { historyPart } from '@plimsoll/contract/wire/cluster-report';
import { beforeEach, describe, expect, it } from 'vitest';
import { cutHistory, historyOf, nextWindow } from './history.ts';
import { QUERIES } from './usage.ts';
import { DAY_SECONDS, nodeAt, podOf, prometheusRig, type PrometheusRig } from '../testing/prometheus-rig.ts';
import type { Answerer } from '../testing/stand-in-prometheus.ts';

describe('history', () => {
  let rig: PrometheusRig;
  beforeEach(async () => {
    rig = await prometheusRig();
  });

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
    rig.server.answerer = steady;
    const [from, to] = [bucket(rig.now) - 2 * DAY_SECONDS - 3600, bucket(rig.now)];
    rig.taker.historyWanted = { from, to };
    for (let turn = 0; turn < 5; turn += 1) await rig.prometheus.turn(rig.taker);
    expect(rig.told.map((part) => [part.from, part.to, part.complete])).toEqual([
      [to - DAY_SECONDS, to, true],
      [to - 2 * DAY_SECONDS, to - DAY_SECONDS, true],
      [from, to - 2 * DAY_SECONDS, true],
    ]);
    for (const part of rig.told) expect(historyPart.parse(part)).toBeDefined();
    const [first] = rig.told[0]?.nodes ?? [];
    expect(first).toMatchObject({ node_name: 'worker', pods: ['uid-web'] });
    expect(new Set(first?.cpu_cores)).toEqual(new Set([0.1235]));
    expect(new Set(first?.pod_cpu_cores)).toEqual(new Set([0.5]));
    expect(new Set(first?.pod_memory_bytes)).toEqual(new Set([null]));
  });

  it('begins a second after the server said what it lacks, and is looked for once a minute afterwards', async () => {
    rig.server.answerer = steady;
    rig.taker.historyWanted = undefined;
    expect(await rig.prometheus.turn(rig.taker)).toBe(1000);
    rig.taker.historyWanted = { from: bucket(rig.now) - 600, to: bucket(rig.now) };
    expect(await rig.prometheus.turn(rig.taker)).toBe(1000);
    expect(rig.told).toHaveLength(1);
    rig.taker.historyWanted = null;
    expect(await rig.prometheus.turn(rig.taker)).toBe(60_000);
  });

  it('holds nothing of a namesake from before the pod was made', async () => {
    rig.server.answerer = steady;
    rig.state.pods.upsert(podOf('web', rig.now, { created_at: bucket(rig.now) - 900 }));
    rig.taker.historyWanted = { from: bucket(rig.now) - 1800, to: bucket(rig.now) };
    await rig.prometheus.turn(rig.taker);
    expect(rig.told[0]?.nodes[0]?.pod_cpu_cores).toEqual([null, null, null, 0.5, 0.5, 0.5]);
  });

  it('that did not arrive is told again', async () => {
    rig.server.answerer = steady;
    rig.taker.historyWanted = { from: bucket(rig.now) - 600, to: bucket(rig.now) };
    rig.taker.tellHistory = (parts) => {
      rig.told.push(...parts);
      return Promise.resolve(rig.told.length === 1 ? 17_000 : null);
    };
    expect(await rig.prometheus.turn(rig.taker)).toBe(17_000);
    await rig.prometheus.turn(rig.taker);
    expect(rig.told[1]).toEqual(rig.told[0]);
  });

  it('is asked for in windows that fit the size of the cluster, and told in items that fit a request', () => {
    const wanted = { from: 0, to: 7 * DAY_SECONDS };
    expect(nextWindow(wanted, 30)).toEqual({ from: 6 * DAY_SECONDS, to: 7 * DAY_SECONDS });
    expect(nextWindow(wanted, 10_000)).toEqual({ from: 7 * DAY_SECONDS - 3600, to: 7 * DAY_SECONDS });
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
    const parts = cutHistory({ from: 0, to: DAY_SECONDS }, [large, large, large]);
    expect(parts.map(({ nodes, complete }) => [nodes.length, complete])).toEqual([
      [2, false],
      [1, true],
    ]);
  });
});

describe('historyOf', () => {
  const window = { from: 0, to: 1500 };
  const nodes = [nodeAt('worker', '10.0.0.2')];
  const nothing = { nodeCpu: [], nodeMemory: [], podCpu: [], podMemory: [] };
  const findPod = (key: string) => (key === 'shop/web' ? { uid: 'u', node_name: 'worker', created_at: 0 } : undefined);

  it('is one number per five minutes, unknown where none was told', () => {
    const values: [number, number][] = [
      [300, 1],
      [900, 0],
      [1500, 3],
    ];
    const past = { ...nothing, nodeMemory: [{ labels: { node: 'worker' }, values }] };
    expect(historyOf(window, { nodes, findPod }, past)).toEqual([
      {
        node_name: 'worker',
        cpu_cores: [null, null, null, null, null],
        memory_bytes: [1, null, 0, null, 3],
        pods: [],
        pod_cpu_cores: [],
        pod_memory_bytes: [],
      },
    ]);
  });

  it('takes no value from outside the window, between two of its moments, or of strangers', () => {
    const values: [number, number][] = [
      [0, 1],
      [450, 2],
      [1800, 3],
    ];
    const [track] = historyOf(
      window,
      { nodes, findPod },
      { ...nothing, nodeCpu: [{ labels: { node: 'worker' }, values }] },
    );
    expect(new Set(track?.cpu_cores)).toEqual(new Set([null]));
    const strange = { labels: { node: 'stranger' }, values };
    const pod = { labels: { namespace: 'shop', pod: 'stranger' }, values };
    expect(historyOf(window, { nodes, findPod }, { ...nothing, nodeCpu: [strange], podCpu: [pod] })).toEqual([]);
  });

  it('of a pod whose node is not known, or that runs nowhere, is nobody’s', () => {
    const series = [{ labels: { namespace: 'shop', pod: 'web' }, values: [[300, 1] as [number, number]] }];
    for (const node_name of [null, 'gone']) {
      const find = () => ({ uid: 'u', node_name, created_at: 0 });
      expect(historyOf(window, { nodes, findPod: find }, { ...nothing, podCpu: series })).toEqual([]);
    }
  });

  it('is told to a tenth of a millicore and to whole bytes', () => {
    const series = [{ labels: { namespace: 'shop', pod: 'web' }, values: [[300, 1.234_56] as [number, number]] }];
    const [track] = historyOf(window, { nodes, findPod }, { ...nothing, podCpu: series, podMemory: series });
    expect([track?.pod_cpu_cores[0], track?.pod_memory_bytes[0]]).toEqual([1.2346, 1]);
  });
});

it('a window of which nothing is known is told as complete', () => {
  expect(cutHistory({ from: 0, to: 300 }, [])).toEqual([{ from: 0, to: 300, complete: true, nodes: [] }]);
});
