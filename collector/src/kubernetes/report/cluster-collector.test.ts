import type { ClusterEnvelope } from '@plimsoll/contract/wire/cluster-report';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClusterCollector, type CollectorOptions } from './cluster-collector.ts';
import { capturedList } from '../testing/captured.ts';
import { FakeTiming } from '../testing/fake-timing.ts';
import { StandInCluster } from '../testing/stand-in-cluster.ts';

const METRICS = '/apis/metrics.k8s.io/v1beta1';
const LISTS: Record<string, unknown[]> = {
  '/api/v1/namespaces': [{ metadata: { uid: 'uid-of-kube-system' } }],
  '/api/v1/nodes': capturedList('nodes'),
  '/api/v1/pods': capturedList('pods'),
  '/api/v1/persistentvolumeclaims': [],
  '/api/v1/events': capturedList('events'),
  '/apis/apps/v1/replicasets': capturedList('replicasets'),
  '/apis/apps/v1/deployments': capturedList('workloads').filter(({ kind }) => kind === 'Deployment'),
  '/apis/apps/v1/statefulsets': [],
  '/apis/apps/v1/daemonsets': [],
  '/apis/batch/v1/jobs': capturedList('jobs'),
  '/apis/batch/v1/cronjobs': capturedList('workloads').filter(({ kind }) => kind === 'CronJob'),
};
const isLeaky = ({ name }: { name: string }): boolean => name.startsWith('leaky-');
/** Time passes only when the test moves it, or as fast as the collector waits. */
class TimeOfPages extends FakeTiming {
  passes = false;
  override wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.passes ? super.wait(ms, signal) : new Promise(setImmediate);
  }
}

describe('ClusterCollector', () => {
  let cluster: StandInCluster;
  let sent: ClusterEnvelope[];
  let log: string[];
  let collector: ClusterCollector;
  let options: CollectorOptions;
  let stop: AbortController;
  let timing: TimeOfPages;

  beforeEach(async () => {
    cluster = new StandInCluster();
    timing = new TimeOfPages();
    for (const [path, items] of Object.entries(LISTS)) cluster.put(path, items);
    cluster.answers.set('/version', { status: 200, body: { gitVersion: 'v1.34.4' } });
    [sent, log, stop] = [[], [], new AbortController()];
    const body = { accepted: [], rejected: [], listing_wanted: false, next: { interval: 60 } };
    options = {
      connection: await cluster.connect(),
      // The first report is all that is looked at.
      post: (_path, envelope) => {
        sent.push(structuredClone(envelope as ClusterEnvelope));
        stop.abort();
        return Promise.resolve({ kind: 'answer', status: 200, body, retryAfterSeconds: null });
      },
      prometheus: null,
      clusterName: 'prod',
      readsPodLogs: false,
      changes: { groups: [], token: 'token' },
      id: 'pod-1',
      version: '1.2.3',
      timing,
      customReaders: () => [
        {
          name: 'silences.plimsoll.dev',
          leftOut: [],
          needs: 'list,watch silences.plimsoll.dev',
          status: { state: 'absent', detail: 'not served by this cluster', since: 0 },
        },
      ],
      log: (level, message, fields) => log.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
    };
    collector = new ClusterCollector(options);
  });
  const lead = (): Promise<void> => collector.lead(7, stop.signal);
  const reader = (name: string) => collector.readers().find((one) => one.name === name);

  it('reports the readers of custom resources, which an older chart does not define', () => {
    expect(reader('silences.plimsoll.dev')).toMatchObject({
      state: 'absent',
      needs: 'list,watch silences.plimsoll.dev',
    });
  });

  it('knows the cluster, lists it, and tells all of it under its term', async () => {
    await lead();
    const [first] = sent;
    expect(first).toMatchObject({
      cluster: { uid: 'uid-of-kube-system', name: 'prod', version: 'v1.34.4' },
      collector: { id: 'pod-1', version: '1.2.3', term: 7 },
    });
    const items = sent.flatMap(({ reports }) => reports);
    expect(items.flatMap(({ pods = [] }) => pods).map(({ name }) => name)).toHaveLength(capturedList('pods').length);
    expect(
      items
        .flatMap(({ workloads = [] }) => workloads)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['burner', 'leaky', 'nightly']);
    expect(items.at(-1)?.listing).toMatchObject({ complete: true, covers: ['nodes', 'pods', 'workloads', 'volumes'] });
    expect(log[0]).toBe('info leading {"cluster":"uid-of-kube-system","version":"v1.34.4","term":7}');
  });

  it('a resource it may not read is named with the right it needs, and is not covered', async () => {
    cluster.refuse('/api/v1/pods', 403, 'pods is forbidden: User "x" cannot list resource "pods"');
    await lead();
    expect(reader('pods')).toMatchObject({
      state: 'forbidden',
      detail: 'forbidden: needs pods list,watch',
      needs: 'list,watch pods',
    });
    expect(reader('nodes')).toMatchObject({ state: 'ok', detail: null });
    expect(collector.covers()).not.toContain('pods');
    expect(sent.length).toBeGreaterThan(0);
  });

  it('describes the kinds of its groups, covers them once listed, and watches no others', async () => {
    cluster.put('/api/v1/services', [
      { metadata: { uid: 's', namespace: 'shop', name: 'web' }, spec: { type: 'ClusterIP', ports: [{ port: 80 }] } },
    ]);
    collector = new ClusterCollector({ ...options, changes: { groups: ['workloads', 'services'], token: 'token' } });
    await lead();
    const items = sent.flatMap(({ reports }) => reports);
    const objects = items.flatMap(({ objects: some = [] }) => some);
    expect(objects.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
      expect.arrayContaining(['Service web', 'Deployment leaky', 'CronJob nightly']),
    );
    expect(objects.filter(({ kind, name }) => kind === 'Job' && name.startsWith('nightly'))).toEqual([]);
    expect(items.at(-1)?.listing?.covers_objects).toEqual(
      expect.arrayContaining(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'Service']),
    );
    expect(reader('services')).toMatchObject({ state: 'ok', needs: 'list,watch services' });
    expect(cluster.seen).not.toContain('/api/v1/configmaps');
    expect(cluster.seen.filter((path) => path.includes('secrets'))).toEqual([]);
  });

  it('a kind that it may not watch costs its own changes alone', async () => {
    cluster.refuse('/api/v1/services', 403, 'services is forbidden');
    collector = new ClusterCollector({ ...options, changes: { groups: ['workloads', 'services'], token: 'token' } });
    await lead();
    expect(reader('services')).toMatchObject({ state: 'forbidden' });
    expect(collector.coversDescribed()).toEqual(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job']);
    expect(collector.covers()).toContain('workloads');
  });

  it('a cluster too old for CronJobs has none of them, and the other workloads are covered', async () => {
    cluster.answers.delete('/apis/batch/v1/cronjobs');
    await lead();
    expect(reader('cronjobs')).toMatchObject({
      state: 'absent',
      detail: expect.stringContaining('not served by this cluster'),
    });
    expect(reader('deployments')?.state).toBe('ok');
  });

  it.each([
    [404, 'absent'],
    [503, 'down'],
    [403, 'forbidden'],
  ])('a metrics-server that answers %d is told as %s beside the rest', async (status, state) => {
    cluster.refuse(METRICS, status, 'x');
    await lead();
    expect(reader('metrics.k8s.io')).toMatchObject({ state, needs: 'list nodes.metrics.k8s.io,pods.metrics.k8s.io' });
    expect(sent.flatMap(({ reports }) => reports).flatMap(({ usage = [] }) => usage)).toEqual([]);
  });

  it('waits with its first report for ReplicaSets that take a minute to list, so that each pod has its Deployment', async () => {
    const pages = 60;
    cluster.putPages('/apis/apps/v1/replicasets', capturedList('replicasets'), pages, () => timing.advance(1000));
    await lead();
    const [pod] = sent.flatMap(({ reports }) => reports).flatMap(({ pods = [] }) => pods.filter(isLeaky));
    expect(pod?.owner).toEqual({ kind: 'Deployment', name: 'leaky' });
    expect(cluster.seen.filter((path) => path.endsWith('/replicasets'))).toHaveLength(pages + 1);
    expect(log).not.toContainEqual(expect.stringContaining('reporting without some resources'));
  });

  it('reports without a resource whose list does not end in a minute and a half', async () => {
    cluster.putPages('/apis/apps/v1/replicasets', capturedList('replicasets'), Infinity, () => timing.advance(1000));
    const since = timing.now();
    await lead();
    expect(log).toContain('warn reporting without some resources {"missing":"replicasets"}');
    expect(timing.now() - since).toBeLessThan(100_000);
    expect(collector.covers()).toContain('pods');
  });

  it('reports without a resource that does not answer for half a minute', async () => {
    cluster.hang('/apis/apps/v1/replicasets', () => (timing.passes = true));
    const since = timing.now();
    await lead();
    expect(log).toContainEqual(expect.stringMatching(/reporting without some resources .*replicasets/u));
    expect(timing.now() - since).toBeLessThan(32_000);
  });

  it('reports the addresses that the API server advertises, and none where it does not', async () => {
    const versions = [
      { serverAddress: '10.0.0.5:6443' },
      { serverAddress: '10.0.0.5:6443' },
      null,
      { serverAddress: 7 },
    ];
    cluster.answers.set('/api', { status: 200, body: { serverAddressByClientCIDRs: versions } });
    await lead();
    expect(sent[0]?.cluster.api_addresses).toEqual(['10.0.0.5:6443']);
  });

  it.each([
    [403, {}],
    [200, {}],
    [200, { serverAddressByClientCIDRs: 'x' }],
  ])('reports no address after the answer %s %j', async (status, body) => {
    cluster.answers.set('/api', { status, body });
    await lead();
    expect(sent[0]?.cluster).not.toHaveProperty('api_addresses');
  });

  it('asks for nothing but what it names', async () => {
    await lead();
    expect([...new Set(cluster.seen)].toSorted()).toEqual(
      [...Object.keys(LISTS), METRICS, '/api', '/version'].toSorted(),
    );
  });

  it('a cluster that does not show itself is not led, and the right it needs is named', async () => {
    cluster.put('/api/v1/namespaces', []);
    await expect(lead()).rejects.toThrow('the cluster shows no namespace kube-system: grant "list namespaces"');
    cluster.refuse('/api/v1/namespaces', 403, 'namespaces is forbidden');
    await expect(lead()).rejects.toThrow('namespaces is forbidden');
    expect(sent).toEqual([]);
  });
});
