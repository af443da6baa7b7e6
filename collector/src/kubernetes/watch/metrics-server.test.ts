import { usageItem } from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from './connection.ts';
import { type FindPod, readMetricsServer, usageByNode, windowSeconds } from './metrics-server.ts';
import { captured } from '../testing/captured.ts';
import { StandInCluster } from '../testing/stand-in-cluster.ts';

const GROUP = '/apis/metrics.k8s.io/v1beta1';
const itemsOf = (name: string): never[] => (captured(name) as { items: never[] }).items;
const worker: FindPod = (key) => ({ uid: key, node_name: 'plimsoll-worker' });

describe('readMetricsServer', () => {
  let cluster: StandInCluster;
  let connection: Connection;
  beforeEach(async () => {
    cluster = new StandInCluster();
    connection = await cluster.connect();
    cluster.answers.set(GROUP, { status: 200, body: { kind: 'APIResourceList' } });
    cluster.put(`${GROUP}/nodes`, itemsOf('metrics-nodes'));
    cluster.put(`${GROUP}/pods`, itemsOf('metrics-pods'));
  });

  it('reads what a real metrics-server answered, as the protocol takes it', async () => {
    const { state, detail, usage } = await readMetricsServer(connection, worker);
    expect([state, detail]).toEqual(['ok', null]);
    expect(usage.map(({ node_name: name }) => name).toSorted()).toEqual(['plimsoll-control-plane', 'plimsoll-worker']);
    for (const item of usage) expect(usageItem.parse(item).cpu_cores).toBeGreaterThan(0);
    expect(usage.find(({ node_name: name }) => name === 'plimsoll-worker')?.pods).toHaveLength(
      itemsOf('metrics-pods').length,
    );
  });

  it.each([
    [404, 'absent', 'not served by this cluster: the words of the server'],
    [503, 'down', 'the words of the server'],
    [403, 'forbidden', 'forbidden: needs nodes.metrics.k8s.io,pods.metrics.k8s.io list'],
    [401, 'forbidden', 'the API server does not accept our service account token'],
    [429, 'down', 'the words of the server'],
  ])('a group that answers %d: %s, and no figures', async (status, state, detail) => {
    cluster.refuse(GROUP, status, 'the words of the server');
    expect(await readMetricsServer(connection, worker)).toEqual({ state, detail, usage: [] });
  });

  it('nodes without the pods are not told by half', async () => {
    cluster.refuse(`${GROUP}/pods`, 403, 'pods.metrics.k8s.io is forbidden');
    expect(await readMetricsServer(connection, worker)).toMatchObject({ state: 'forbidden', usage: [] });
  });

  it('a metrics-server that has nothing yet is well', async () => {
    cluster.answers.set(`${GROUP}/nodes`, { status: 200, body: { items: null } });
    cluster.answers.set(`${GROUP}/pods`, { status: 200, body: {} });
    expect(await readMetricsServer(connection, worker)).toEqual({ state: 'ok', detail: null, usage: [] });
  });

  it('an API server that is gone is out of reach', async () => {
    connection.close();
    cluster.answers.set(GROUP, { status: 200, body: undefined });
    const reading = await readMetricsServer(connection, worker);
    expect([reading.usage, reading.state]).toEqual([[], 'unreachable']);
  });
});

describe('usageByNode', () => {
  const at = { timestamp: '2026-11-20T23:30:30Z', window: '20s' };
  const node = (name: string, more: object = {}) => ({
    metadata: { name },
    ...at,
    usage: { cpu: '250m', memory: '1Gi' },
    ...more,
  });
  const pod = (name: string, ...usages: ({ cpu?: string; memory?: string } | undefined)[]) => ({
    metadata: { namespace: 'shop', name },
    containers: usages.map((usage) => (usage ? { usage } : {})),
  });
  const onNode: FindPod = (key) => (key.endsWith('gone') ? undefined : { uid: key, node_name: 'n' });

  it('sums the containers of a pod', () => {
    const [item] = usageByNode(
      [node('n')],
      [pod('a', { cpu: '100m', memory: '1Mi' }, { cpu: '1500000n', memory: '2Mi' })],
      onNode,
    );
    expect(item).toMatchObject({
      node_name: 'n',
      measured_at: Date.UTC(2026, 10, 20, 23, 30, 30) / 1000,
      window_seconds: 20,
      cpu_cores: 0.25,
      memory_working_set_bytes: 2 ** 30,
      pods: [{ uid: 'shop/a', cpu_cores: 0.1015, memory_working_set_bytes: 3 * 2 ** 20 }],
    });
  });

  it('says nothing of a pod when one of its containers is not told: the sum would be too low', () => {
    const [item] = usageByNode(
      [node('n')],
      [pod('a', { cpu: '1', memory: '1Mi' }, { cpu: '1' }), pod('b', { cpu: '1', memory: '1Mi' }, undefined), pod('c')],
      onNode,
    );
    expect(item?.pods).toEqual([
      { uid: 'shop/a', cpu_cores: 2, memory_working_set_bytes: null },
      { uid: 'shop/b', cpu_cores: null, memory_working_set_bytes: null },
      { uid: 'shop/c', cpu_cores: null, memory_working_set_bytes: null },
    ]);
  });

  it('nothing used is nought, and nothing told is unknown', () => {
    const [zero, unknown] = usageByNode(
      [node('z', { usage: { cpu: '0', memory: '0' } }), node('u', { usage: undefined })],
      [],
      onNode,
    );
    expect([zero?.cpu_cores, zero?.memory_working_set_bytes]).toEqual([0, 0]);
    expect([unknown?.cpu_cores, unknown?.memory_working_set_bytes]).toEqual([null, null]);
  });

  it('leaves out a node without a name or a time, a pod the watch does not know, and one of another node', () => {
    const nodes = [node(''), node('m', { timestamp: undefined }), node('l', { timestamp: 'soon' }), node('n')];
    const usage = { cpu: '1', memory: '1' };
    const elsewhere: FindPod = (key) => (key.endsWith('/b') ? { uid: key, node_name: 'm' } : onNode(key));
    const items = usageByNode(nodes, [pod('gone', usage), pod('b', usage), pod('a', usage)], elsewhere);
    expect(items.map(({ node_name, pods }) => [node_name, pods.map(({ uid }) => uid)])).toEqual([['n', ['shop/a']]]);
  });

  it('keeps pods whose node states no figures of itself, as on virtual-kubelet', () => {
    const virtual = { ...pod('a', { cpu: '100m', memory: '1Mi' }), ...at };
    const [item, ...others] = usageByNode([], [virtual, { ...pod('b', { cpu: '1', memory: '1Mi' }), ...at }], onNode);
    expect(others).toEqual([]);
    expect(usageItem.parse(item)).toMatchObject({
      node_name: 'n',
      measured_at: Date.UTC(2026, 10, 20, 23, 30, 30) / 1000,
      window_seconds: 20,
      cpu_cores: null,
      memory_working_set_bytes: null,
      pods: [{ uid: 'shop/a', cpu_cores: 0.1 }, { uid: 'shop/b' }],
    });
  });

  it('tells no more pods than a node can hold', () => {
    const many = Array.from({ length: CLUSTER_LIMITS.podsPerNode + 1 }, (_, index) => pod(`p${index}`, { cpu: '1' }));
    expect(usageByNode([node('n')], many, onNode)[0]?.pods).toHaveLength(CLUSTER_LIMITS.podsPerNode);
  });
});

it.each([
  ['15.04s', 15.04],
  ['1m0s', 60],
  ['1h2m3.5s', 3723.5],
  ['500ms', 0.5],
  ['0s', null],
  ['', null],
  [undefined, null],
  ['20', null],
  ['-20s', null],
  ['20 s', null],
  ['1d', null],
  ['1s'.repeat(20), null],
])('the window %j is %j seconds', (text, seconds) => {
  expect(windowSeconds(text)).toBe(seconds);
});
