import { DESCRIBED_KINDS, type DescribedKind } from '@plimsoll/contract/rules/described-kinds';
import { expect, it, describe as suite } from 'vitest';
import { createDigester, describe, unpackState } from './described.ts';
import { CHANGE_GROUPS, DESCRIBED_RESOURCES } from './kinds.ts';

const digester = createDigester('token');
type Tree = Record<string, unknown>;
const stateOf = (kind: DescribedKind, object: Tree): Tree => {
  const row = DESCRIBED_RESOURCES.find((one) => one.kind === kind);
  if (!row) throw new Error(`no ${kind}`);
  const whole = { ...object, metadata: { uid: 'u', name: 'n', namespace: 'ns', ...(object.metadata as Tree) } };
  const { state } = describe(structuredClone(whole), kind, digester, row.fill);
  const [fields, digests] = unpackState(state);
  return { ...digests, ...fields };
};
/** Names of the fields that differ. */
const changed = (kind: DescribedKind, before: Tree, after: Tree): string[] => {
  const [old, now] = [stateOf(kind, before), stateOf(kind, after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((path) => old[path] !== now[path]);
};

const POD = {
  serviceAccountName: 'checkout',
  containers: [
    {
      name: 'web',
      image: 'checkout:1.9.1',
      args: ['--port', '8080'],
      ports: [{ containerPort: 8080 }],
      env: [{ name: 'MODE', value: 'live' }],
      resources: { limits: { memory: '512Mi' } },
      readinessProbe: { httpGet: { path: '/healthz', port: 8080 } },
    },
  ],
  volumes: [{ name: 'config', configMap: { name: 'checkout' } }],
};
const container = (more: Tree): Tree => ({ ...POD, containers: [{ ...POD.containers[0], ...more }] });
const deployment = (spec: Tree = {}, pod: Tree = POD, metadata: Tree = {}): Tree => ({
  metadata,
  spec: { replicas: 3, ...spec, template: { spec: pod } },
});

suite('a workload, field by field', () => {
  it.each<[string, Tree]>([
    ['replicas', deployment({ replicas: 4 })],
    ['paused', deployment({ paused: true })],
    ['strategy', deployment({ strategy: { type: 'Recreate' } })],
    ['containers.web.image', deployment({}, container({ image: 'checkout:1.9.2' }))],
    ['containers.web.args', deployment({}, container({ args: ['--port', '8081'] }))],
    ['containers.web.command', deployment({}, container({ command: ['/run'] }))],
    ['containers.web.ports', deployment({}, container({ ports: [{ containerPort: 8081 }] }))],
    ['containers.web.env.MODE', deployment({}, container({ env: [{ name: 'MODE', value: 'test' }] }))],
    ['containers.web.envFrom', deployment({}, container({ envFrom: [{ secretRef: { name: 's' } }] }))],
    ['containers.web.resources.limits.memory', deployment({}, container({ resources: { limits: { memory: '1Gi' } } }))],
    ['containers.web.readinessProbe', deployment({}, container({ readinessProbe: { tcpSocket: { port: 1 } } }))],
    ['containers.web.volumeMounts', deployment({}, container({ volumeMounts: [{ name: 'config', mountPath: '/c' }] }))],
    ['containers.web.securityContext.runAsUser', deployment({}, container({ securityContext: { runAsUser: 7 } }))],
    ['volumes.config', deployment({}, { ...POD, volumes: [{ name: 'config', secret: { secretName: 'x' } }] })],
    ['serviceAccountName', deployment({}, { ...POD, serviceAccountName: 'other' })],
    ['securityContext.fsGroup', deployment({}, { ...POD, securityContext: { fsGroup: 2 } })],
    ['nodeSelector.disk', deployment({}, { ...POD, nodeSelector: { disk: 'ssd' } })],
    ['affinity', deployment({}, { ...POD, affinity: { nodeAffinity: { x: 1 } } })],
    ['tolerations', deployment({}, { ...POD, tolerations: [{ key: 'gpu' }] })],
    ['marks.helm.sh/chart', deployment({}, POD, { labels: { 'helm.sh/chart': 'checkout-2' } })],
  ])('%s', (path, after) => {
    expect(changed('Deployment', deployment(), after)).toEqual([path]);
  });

  it('sends no value of an environment variable', () => {
    const state = JSON.stringify(
      stateOf('Deployment', deployment({}, container({ env: [{ name: 'A', value: 'hunter2' }] }))),
    );
    expect(state).toContain('env.A');
    expect(state).not.toContain('hunter2');
  });

  it('is not changed by its status, nor by notes of who wrote', () => {
    const after = {
      ...deployment({}, POD, { managedFields: [{ manager: 'x' }], resourceVersion: '9' }),
      status: { a: 1 },
    };
    expect(changed('Deployment', deployment(), after)).toEqual([]);
  });
});

suite('the other kinds', () => {
  it.each<[DescribedKind, string, Tree, Tree]>([
    ['StatefulSet', 'replicas', { spec: { replicas: 1 } }, { spec: { replicas: 2 } }],
    ['DaemonSet', 'updateStrategy', { spec: {} }, { spec: { updateStrategy: { type: 'OnDelete' } } }],
    ['CronJob', 'schedule', cron('1 * * * *'), cron('2 * * * *')],
    ['Job', 'job.backoffLimit', { spec: { backoffLimit: 1 } }, { spec: { backoffLimit: 2 } }],
    ['Service', 'ports', { spec: { ports: [{ port: 80 }] } }, { spec: { ports: [{ port: 80, targetPort: 8081 }] } }],
    ['Service', 'selector.app', { spec: { selector: { app: 'a' } } }, { spec: { selector: { app: 'b' } } }],
    ['EndpointSlice', 'readyAddresses', slice(true), slice(false)],
    ['Ingress', 'rules.shop.example/', ingress('a'), ingress('b')],
    ['NetworkPolicy', 'ingress', { spec: {} }, { spec: { ingress: [] } }],
    ['HorizontalPodAutoscaler', 'maxReplicas', autoscaler(2), autoscaler(3)],
    ['ResourceQuota', 'hard.pods', { spec: { hard: { pods: '4' } } }, { spec: { hard: { pods: '5' } } }],
    ['LimitRange', 'limits.Container', limit('1'), limit('2')],
    ['PodDisruptionBudget', 'minAvailable', { spec: { minAvailable: 1 } }, { spec: { minAvailable: '50%' } }],
    ['PriorityClass', 'value', { value: 1 }, { value: 2 }],
    ['StorageClass', 'parameters.type', { parameters: { type: 'gp2' } }, { parameters: { type: 'gp3' } }],
    ['MutatingWebhookConfiguration', 'webhooks.w.failurePolicy', hook('Ignore'), hook('Fail')],
    ['ValidatingWebhookConfiguration', 'webhooks.w.failurePolicy', hook('Ignore'), hook('Fail')],
    ['ConfigMap', 'data.app.conf', { data: { 'app.conf': 'a' } }, { data: { 'app.conf': 'b' } }],
  ])('%s: %s', (kind, path, before, after) => {
    expect(changed(kind, before, after)).toEqual([path]);
  });

  it('a ConfigMap sends its keys, and no value', () => {
    const state = stateOf('ConfigMap', { data: { 'app.conf': 'port=8081' }, binaryData: { logo: 'AAAA' } });
    expect(Object.keys(state)).toEqual(['data.app.conf', 'binaryData.logo']);
    expect(JSON.stringify(state)).not.toMatch(/8081|AAAA/);
  });

  it('every kind has a row, none of them Secrets, and every group a kind', () => {
    expect(DESCRIBED_RESOURCES.map(({ kind }) => kind)).toEqual([...DESCRIBED_KINDS]);
    expect(new Set(DESCRIBED_RESOURCES.map(({ group }) => group))).toEqual(new Set(CHANGE_GROUPS));
    expect(DESCRIBED_RESOURCES.filter(({ name }) => /secret/.test(name))).toEqual([]);
  });
});

function cron(schedule: string): Tree {
  return { spec: { schedule, jobTemplate: { spec: { template: { spec: POD } } } } };
}
function slice(ready: boolean): Tree {
  return { endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'], conditions: { ready } }] };
}
function ingress(name: string): Tree {
  const backend = { service: { name, port: { number: 80 } } };
  return { spec: { rules: [{ host: 'shop.example', http: { paths: [{ path: '/', backend }] } }] } };
}
function autoscaler(maxReplicas: number): Tree {
  return { spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas } };
}
function limit(cpu: string): Tree {
  return { spec: { limits: [{ type: 'Container', default: { cpu } }] } };
}
function hook(failurePolicy: string): Tree {
  return { webhooks: [{ name: 'w', failurePolicy, clientConfig: { url: 'https://hook.example/' } }] };
}
