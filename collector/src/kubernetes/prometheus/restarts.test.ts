import { beforeEach, describe, expect, it } from 'vitest';
import { endsIn, podOf, prometheusRig, type PrometheusRig } from '../testing/prometheus-rig.ts';
import type { Answerer } from '../testing/stand-in-prometheus.ts';

describe('restarts of before', () => {
  let rig: PrometheusRig;
  beforeEach(async () => {
    rig = await prometheusRig();
  });

  /** One container that stood at 7 a day ago and was restarted an hour and ten minutes ago, as every step tells it. */
  const counts =
    (labels: object): Answerer =>
    (expression, times) => {
      const count = (at: number) => (at > rig.now - 600 ? '9' : at > rig.now - 3600 ? '8' : '7');
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
    rig.server.answerer = counts({ pod: 'web', uid: 'uid-web' });
    await rig.prometheus.turn(rig.taker);
    await rig.prometheus.turn(rig.taker);
    const told = endsIn(rig.state);
    expect(told.map(({ run, restarted, reason }) => ({ run, restarted, reason }))).toEqual([
      { run: 7, restarted: true, reason: null },
      { run: 8, restarted: true, reason: null },
    ]);
    const ages = told.map(({ at }) => rig.now - at);
    expect(ages[0]).toBeGreaterThanOrEqual(3300);
    expect(ages[0]).toBeLessThanOrEqual(3600);
    expect(told[0]).toMatchObject({
      pod_uid: 'uid-web',
      node_name: 'worker',
      owner: { kind: 'StatefulSet', name: 'db' },
    });
    expect(rig.server.seen.filter(({ path }) => path.endsWith('query_range'))).toHaveLength(1);
  });

  it('of a pod that is gone name its owner', async () => {
    rig.server.answerer = counts({ pod: 'gone', uid: 'uid-gone' });
    await rig.prometheus.turn(rig.taker);
    expect(endsIn(rig.state)).toMatchObject([
      { pod_uid: 'uid-gone', node_name: null, owner: { kind: 'Deployment', name: 'api' } },
      { run: 8 },
    ]);
  });

  it('of metrics without a uid are the living pod’s, and not those of a namesake before it', async () => {
    rig.server.answerer = counts({ pod: 'young' });
    rig.state.pods.upsert(podOf('young', rig.now, { created_at: rig.now - 1800 }));
    await rig.prometheus.turn(rig.taker);
    expect(endsIn(rig.state)).toMatchObject([{ pod_uid: 'uid-young', run: 8 }]);
  });
});
