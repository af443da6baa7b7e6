import { beforeEach, describe, expect, it } from 'vitest';
import { Owners } from './kube-state-metrics.ts';
import { endsIn, prometheusRig, type PrometheusRig } from '../testing/prometheus-rig.ts';

describe('kube-state-metrics alone', () => {
  let rig: PrometheusRig;
  beforeEach(async () => {
    rig = await prometheusRig();
  });

  const restarts = (count: number) =>
    `kube_pod_container_status_restarts_total{namespace="shop",pod="gone",uid="uid-gone",container="app"} ${count}`;
  const text = (...lines: string[]) => ['# HELP kube_pod_owner Information', ...lines, ''].join('\n');
  const OWNERS = [
    'kube_pod_owner{namespace="shop",pod="gone",uid="uid-gone",owner_kind="ReplicaSet",owner_name="api-1",owner_is_controller="true"} 1',
    'kube_replicaset_owner{namespace="shop",replicaset="api-1",owner_kind="Deployment",owner_name="api",owner_is_controller="true"} 1',
  ];
  beforeEach(() => {
    rig.server.answerer = null;
  });

  it('is found out; what is restarted between two looks is told, with its owner', async () => {
    rig.server.metrics = text(...OWNERS, restarts(4));
    await rig.prometheus.turn(rig.taker);
    expect(rig.prometheus.reader.state).toBe('absent');
    await rig.prometheus.turn(rig.taker);
    expect(rig.prometheus.reader).toMatchObject({ state: 'ok', detail: expect.stringContaining('without Prometheus') });
    expect(endsIn(rig.state)).toEqual([]);
    rig.server.metrics = text(restarts(6), ...OWNERS);
    await rig.prometheus.turn(rig.taker);
    expect(endsIn(rig.state)).toMatchObject([
      { pod_uid: 'uid-gone', run: 4, at: rig.now, owner: { kind: 'Deployment', name: 'api' } },
      { pod_uid: 'uid-gone', run: 5 },
    ]);
    expect(await rig.prometheus.usage([...rig.state.nodes.objects.values()])).toEqual([]);
  });

  it('is not taken for any other page of metrics', async () => {
    rig.server.metrics = 'process_cpu_seconds_total 1\n';
    await rig.prometheus.turn(rig.taker);
    await rig.prometheus.turn(rig.taker);
    expect(rig.prometheus.reader).toMatchObject({ state: 'absent', detail: expect.stringContaining('neither') });
  });
});

describe('Owners', () => {
  const pod = (name: string, kind: string, owner: string): string =>
    `kube_pod_owner{namespace="shop",pod="${name}",owner_kind="${kind}",owner_name="${owner}"} 1`;
  const owners = (...lines: string[]): Owners => {
    const known = new Owners();
    for (const line of lines) known.take(line);
    return known;
  };
  const topOf = (known: Owners, name: string) => known.of({ namespace: 'shop', pod: name });

  it('climb from a Job to its CronJob, and stop where nobody is above', () => {
    const known = owners(
      pod('nightly-1-x', 'Job', 'nightly-1'),
      'kube_job_owner{namespace="shop",job_name="nightly-1",owner_kind="CronJob",owner_name="nightly"} 1',
      pod('db-0', 'StatefulSet', 'db'),
    );
    expect(topOf(known, 'nightly-1-x')).toMatchObject({ kind: 'CronJob', name: 'nightly' });
    expect(topOf(known, 'db-0')).toMatchObject({ kind: 'StatefulSet', name: 'db' });
  });

  it('are none for a pod nobody owns, or that nobody told of', () => {
    const known = owners(pod('alone', '<none>', '<none>'), pod('empty', '', ''));
    expect([topOf(known, 'alone'), topOf(known, 'empty'), topOf(known, 'unheard')]).toEqual([null, null, null]);
  });

  it('of another namespace are another’s', () => {
    const known = owners(
      pod('web-1-x', 'ReplicaSet', 'web-1'),
      'kube_replicaset_owner{namespace="other",replicaset="web-1",owner_kind="Deployment",owner_name="web"} 1',
    );
    expect(topOf(known, 'web-1-x')).toMatchObject({ kind: 'ReplicaSet', name: 'web-1' });
  });

  it('in a circle end', () => {
    const set = (name: string, owner: string): string =>
      `kube_replicaset_owner{namespace="shop",replicaset="${name}",owner_kind="ReplicaSet",owner_name="${owner}"} 1`;
    expect(topOf(owners(pod('p', 'ReplicaSet', 'a'), set('a', 'b'), set('b', 'a')), 'p')?.kind).toBe('ReplicaSet');
  });

  it('know their own lines, whatever else stands on the page', () => {
    const known = new Owners();
    const others = ['', '# HELP kube_pod_owner x', 'kube_pod_info{pod="a"} 1', 'kube_pod_owner 1', 'up 1'];
    expect(others.map((line) => known.take(line))).toEqual([false, false, false, false, false]);
    expect([known.take('kube_pod_owner{broken'), known.take(pod('a', 'Job', 'j'))]).toEqual([true, true]);
  });
});
