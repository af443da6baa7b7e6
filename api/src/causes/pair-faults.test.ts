import { describe, expect, it } from 'vitest';
import type { Evidence } from './evidence.ts';
import { explain } from './explain.ts';
import {
  AT,
  ago,
  alert,
  change,
  crashing,
  event,
  field,
  healthyShop,
  lastWords,
  notReady,
  withPods,
} from './testing/shop.ts';

const namesOf = (evidence: Evidence): string[] =>
  explain(evidence)
    .causes.flatMap(({ entities }) => entities.map(({ object_kind: kind, name }) => `${String(kind)} ${name}`))
    .toSorted();
const checkOf = (name: string) => ({
  id: 'check-1',
  name,
  target: 'https://shop.example.net/',
  status: 'down',
  since: ago(4),
  reason: 'status_unexpected',
  serverId: null,
});
const failedCheck = alert('check', 'check_failed', 4, { subject: 'check-1', object: null });
const frontFails = (evidence: Evidence): Evidence => withPods(evidence, 'front', (pod) => notReady(pod));

/** Two faults at once: the front depends on both, and one of them alone would explain it. */
const gone = change('Service', 'payments', 7, [], { action: 'gone' });
const killed = (pod: Evidence['pods'][number]) =>
  crashing(pod, 6, null, { end: { reason: 'OOMKilled', message: null, exitCode: 137, at: ago(5) } });
const limit = change('Deployment', 'orders', 8, [field('containers.app.resources.limits.memory', '256Mi', '16Mi')]);

function both(): Evidence {
  const shop = frontFails(withPods(healthyShop(), 'orders', killed));
  return {
    ...shop,
    objects: shop.objects.filter(({ kind, name }) => kind !== 'Service' || name !== 'payments'),
    changes: [gone, limit],
    checks: [checkOf('shop')],
    alerts: [failedCheck, alert('orders', 'pod_oom_kill', 5, { isBeside: true })],
  };
}

describe('two causes of one incident', () => {
  it('names the deleted Service beside the limit, which explain the check equally well', () => {
    expect(namesOf(both())).toEqual(['Deployment orders', 'Service payments']);
  });

  it('names one of them where the other is not there', () => {
    const alone = both();
    expect(namesOf({ ...alone, changes: [limit], objects: healthyShop().objects })).toEqual(['Deployment orders']);
  });

  it('names a program that blames itself beside one that lost its setting', () => {
    const words = 'FATAL environment variable DATABASE_URL is not set';
    const poison = 'SyntaxError: Expected "," or "}" in JSON at position 11';
    const shop = withPods(
      withPods(healthyShop(), 'orders', (pod) => crashing(pod, 6, words)),
      'consumer',
      (pod) => crashing(pod, 6, poison),
    );
    const evidence = {
      ...shop,
      changes: [change('Deployment', 'orders', 7, [field('containers.app.env.DATABASE_URL', 'a', null)])],
      alerts: [alert('consumer', 'pod_crash_loop', 4), alert('orders', 'pod_crash_loop', 4)],
    };
    expect(namesOf(evidence)).toEqual(['Deployment consumer', 'Deployment orders']);
    // A program that ends because a call fails is a victim.
    const victim = withPods(evidence, 'consumer', (pod) => crashing(pod, 6, 'connect ECONNREFUSED http://orders:8081'));
    expect(namesOf({ ...evidence, pods: victim.pods })).toEqual(['Deployment orders']);
  });

  it('names no cause of another incident', () => {
    const shop = withPods(healthyShop(), 'consumer', (pod) => crashing(pod, 6, 'SyntaxError'));
    const beside = alert('consumer', 'pod_crash_loop', 4, { isBeside: true });
    expect(namesOf({ ...shop, checks: [checkOf('shop')], alerts: [failedCheck, beside] })).toEqual([]);
  });
});

describe('a rollout after the pods became ready', () => {
  it('is not excused by the readiness of the pods before it', () => {
    const shop = withPods(healthyShop(), 'orders', (pod) => ({
      ...crashing(pod, 5, 'unknown command'),
      createdAt: ago(6),
    }));
    const ready = (minutes: number, before: string, after: string) =>
      change('EndpointSlice', 'orders-abcde', minutes, [field('readyAddresses', before, after)]);
    const evidence = {
      ...shop,
      changes: [
        change('Deployment', 'orders', 8.5, [], { action: 'added' }),
        ready(7.2, '0', '2'),
        change('Deployment', 'orders', 6, [field('containers.app.args', 'orders', 'orders-v2')]),
        ready(5.9, '2', '0'),
      ],
      alerts: [alert('orders', 'pod_crash_loop', 4)],
    };
    const [cause] = explain(evidence).causes;
    expect([cause?.mechanism, cause?.change_id]).toEqual(['crash_loop_after_change', 'Deployment-orders-6']);
  });
});

describe('what Kubernetes keeps waiting', () => {
  it('names the sidecar that keeps a Job from ending', () => {
    const shop = healthyShop();
    const [pod] = shop.pods.filter(({ ownerName }) => ownerName === 'consumer');
    const [container] = pod?.containers ?? [];
    if (pod === undefined || container === undefined) throw new Error('the shop has a consumer');
    const end = { reason: 'Completed', message: null, exitCode: 0, at: ago(20) };
    const job = {
      ...pod,
      name: 'export-x2k4p',
      ownerKind: 'Job',
      ownerName: 'export',
      ready: false,
      containers: [
        { ...container, status: 'terminated', end },
        { ...container, name: 'proxy' },
      ],
    };
    const object = { clusterId: job.clusterId, namespace: 'shop', kind: 'Job', name: 'export' };
    const evidence = { ...shop, pods: [...shop.pods, job], alerts: [alert('export', 'job_failed', 3, { object })] };
    const [cause] = explain(evidence).causes;
    expect(cause?.mechanism).toBe('job_kept_running');
    expect(cause?.finding).toContain('its container proxy still runs beside app');
  });

  it('names a deletion that hangs only after its grace period', () => {
    const hanging = (minutes: number): Evidence => {
      const shop = withPods(healthyShop(), 'postgres', (pod) => notReady(pod, { deleting: true }));
      const killing = event(['Pod', 'postgres-0'], 'Killing', 'Stopping container app', minutes, { type: 'Normal' });
      return { ...shop, events: [killing], alerts: [alert('postgres', 'replicas_missing', 1)] };
    };
    expect(explain(hanging(15)).causes.map(({ mechanism }) => mechanism)).toEqual(['deletion_hangs']);
    expect(explain(hanging(0)).causes).toEqual([]);
  });

  it('names a webhook that came before pods were missing, and none while all pods are there', () => {
    const came = change('ValidatingWebhookConfiguration', 'policy', 6, [], { action: 'added', namespace: null });
    const shop = healthyShop();
    const pods = shop.pods.filter(({ name }) => name !== 'orders-6f7d8c9b5d-x1k4p');
    const alerts = [alert('orders', 'replicas_missing', 3)];
    expect(namesOf({ ...shop, pods, changes: [came], alerts })).toEqual(['ValidatingWebhookConfiguration policy']);
    expect(namesOf({ ...shop, changes: [came], alerts })).toEqual([]);
  });

  it('names the Job that came to busy programs', () => {
    const busy = Array.from({ length: 24 }, (_, index) => ({
      at: ago(46 - index * 2),
      value: index < 19 ? 0.1 : 0.45,
    }));
    const shop = withPods(healthyShop(), 'front', (pod) => ({ ...notReady(pod), cpuCores: busy }));
    const object = { clusterId: 'cluster-1', namespace: 'shop', kind: 'Job', name: 'import' };
    const evidence = {
      ...shop,
      objects: [...shop.objects, { ...object, fields: {}, hidden: [] }],
      changes: [change('Job', 'import', 9, [], { action: 'added' })],
      alerts: [alert('front', 'replicas_missing', 3)],
      lines: [lastWords('front-6f7d8c9b5d-x0k4p', 'request took 9000 ms', 3)],
    };
    const [cause] = explain(evidence).causes;
    expect([cause?.mechanism, cause?.entities[0]?.name]).toEqual(['traffic_flood', 'import']);
    expect(AT).toBe(evidence.at);
  });

  it('names a changed bound of the autoscaler where its workload suffers', () => {
    const autoscaler = { clusterId: 'cluster-1', namespace: 'shop', kind: 'HorizontalPodAutoscaler', name: 'orders' };
    const lowered = change('HorizontalPodAutoscaler', 'orders', 9, [field('maxReplicas', '10', '1')]);
    const shop = withPods(healthyShop(), 'orders', (pod) => notReady(pod));
    const evidence = {
      ...shop,
      objects: [...shop.objects, { ...autoscaler, fields: { target: 'Deployment/orders' }, hidden: [] }],
      changes: [lowered],
      alerts: [alert('orders', 'replicas_missing', 3)],
    };
    expect(namesOf(evidence)).toEqual(['HorizontalPodAutoscaler orders']);
  });
});
