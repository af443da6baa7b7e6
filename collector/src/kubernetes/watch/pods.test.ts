import { podObject } from '@plimsoll/contract/wire/cluster-objects';
import { describe, expect, it } from 'vitest';
import { controllerOf, pods, type ProjectedPod } from './pods.ts';
import { type CapturedObject, capturedObject } from '../testing/captured.ts';

/** A captured pod with parts of it changed. */
function podWith(
  { metadata = {}, spec = {}, status = {} }: Partial<Record<'metadata' | 'spec' | 'status', object>>,
  start = 'burner-',
): ProjectedPod {
  const pod = capturedObject('pods', start);
  return pods.project({
    ...pod,
    metadata: { ...pod.metadata, ...metadata },
    spec: { ...pod.spec, ...spec },
    status: { ...pod.status, ...status },
  });
}
const burner = (): CapturedObject => capturedObject('pods', 'burner-');
const container = (name: string, more: object = {}): object => ({ name, image: `${name}:1`, ...more });
const state = (name: string, restartCount: number, now: object): object => ({
  name,
  restartCount,
  ready: false,
  state: now,
});

describe('a pod', () => {
  it('that was just created has no status, and is unknown rather than broken', () => {
    const { status: _, ...fresh } = burner();
    const pod = pods.project(fresh);
    expect(pod).toMatchObject({ phase: 'Unknown', reason: null, ready: false, pod_ip: null, host_ip: null });
    expect(pod.containers).toMatchObject([
      { status: 'waiting', reason: null, ready: false, restart_count: 0, started_at: null, exit: null },
      { init: true, status: 'waiting' },
    ]);
    expect(podObject.parse({ ...pod, owner: null })).toBeDefined();
  });

  it('without spec and status is still a pod', () => {
    const { metadata } = burner();
    expect(pods.project({ metadata })).toMatchObject({
      node_name: null,
      containers: [],
      claims: [],
      requests: { cpu_cores: null, memory_bytes: null },
      limits: { cpu_cores: null, memory_bytes: null },
    });
  });

  it.each(['uid', 'namespace', 'name'])('without a %s is none, and the field is named', (field) => {
    const pod = burner();
    delete pod.metadata[field];
    expect(() => pods.project(pod)).toThrow(`metadata.${field} is missing`);
    expect(() => pods.project({})).toThrow('metadata.uid is missing');
  });

  it('evicted by its node says so, not what its containers did', () => {
    const status = { phase: 'Failed', reason: 'Evicted', message: 'low on memory' };
    expect(podWith({ status }, 'leaky-')).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
  });

  it('of a node that is lost says so', () => {
    expect(podWith({ status: { phase: 'Unknown', reason: 'NodeLost' } })).toMatchObject({ reason: 'NodeLost' });
  });

  it.each(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'])('in phase %s is told so', (phase) => {
    expect(podWith({ status: { phase } }).phase).toBe(phase);
  });

  it.each(['', 'running', 'Bogus', undefined])('in a phase %j that Kubernetes does not have is unknown', (phase) => {
    expect(podWith({ status: { phase } }).phase).toBe('Unknown');
  });

  it('that is being deleted is marked', () => {
    expect(podWith({}).deleting).toBe(false);
    expect(podWith({ metadata: { deletionTimestamp: null } }).deleting).toBe(false);
    expect(podWith({ metadata: { deletionTimestamp: '2026-11-20T23:31:00Z' } }).deleting).toBe(true);
  });

  it('is ready by its condition alone', () => {
    const condition = (type: string, status: string) => ({ status: { conditions: [{ type, status }] } });
    expect(podWith(condition('Ready', 'True')).ready).toBe(true);
    expect(podWith(condition('Ready', 'False')).ready).toBe(false);
    expect(podWith(condition('ContainersReady', 'True')).ready).toBe(false);
  });

  it('names the claims it mounts, and no other volumes', () => {
    const volumes = [
      { name: 'a', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'b', emptyDir: {} },
      { name: 'c', secret: { secretName: 'hidden' } },
      { name: 'd', persistentVolumeClaim: { claimName: 'logs' } },
      { name: 'e', ephemeral: { volumeClaimTemplate: {} } },
    ];
    expect(podWith({ metadata: { name: 'web-0' }, spec: { volumes } }).claims).toEqual(['data', 'logs', 'web-0-e']);
    const many = Array.from({ length: 150 }, (_, i) => ({ persistentVolumeClaim: { claimName: `c${i}` } }));
    expect(podWith({ spec: { volumes: many } }).claims).toHaveLength(100);
  });

  it('carries neither environment, nor annotations, nor anything else that may hold a secret', () => {
    const env = [{ name: 'PASSWORD', value: 'hunter2' }];
    const secret = container('app', { env, args: ['--token=hunter2'] });
    const pod = podWith({ metadata: { annotations: { note: 'hunter2' } }, spec: { containers: [secret] } });
    expect(JSON.stringify(pod)).not.toContain('hunter2');
  });

  it('keeps labels of a bounded number and length', () => {
    const labels = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`l${i}`, 'v'.repeat(100)]));
    const kept = Object.entries(podWith({ metadata: { labels } }).labels);
    expect(kept.length).toBeLessThanOrEqual(64);
    expect(kept.every(([, value]) => value.length <= 63)).toBe(true);
  });
});

describe('containers of a pod', () => {
  it('run along, before, or not at all: a sidecar is no init container, an ephemeral one is left out', () => {
    const { containers } = podWith({
      spec: {
        containers: [container('app')],
        initContainers: [container('migrate'), container('proxy', { restartPolicy: 'Always' })],
        ephemeralContainers: [container('debugger')],
      },
      status: { ephemeralContainerStatuses: [state('debugger', 0, { running: {} })] },
    });
    expect(containers.map(({ name, init }) => [name, init])).toEqual([
      ['app', false],
      ['migrate', true],
      ['proxy', false],
    ]);
  });

  it('are never more than the wire takes', () => {
    const many = Array.from({ length: 300 }, (_, index) => container(`c${index}`));
    const pod = podWith({ spec: { containers: many } });
    expect(podObject.parse({ ...pod, owner: null }).containers.length).toBeLessThan(300);
  });

  it('restart counts are summed as kubectl does: of an init container only until it has finished', () => {
    const spec = { containers: [container('app')], initContainers: [container('migrate')] };
    const app = { containerStatuses: [state('app', 3, { running: {} })] };
    const migrate = (now: object) => ({
      status: { ...app, conditions: [], initContainerStatuses: [state('migrate', 4, now)] },
      spec,
    });
    expect(podWith(migrate({ waiting: { reason: 'CrashLoopBackOff' } })).restart_count).toBe(4);
    expect(podWith(migrate({ terminated: { exitCode: 1, reason: 'Error' } })).restart_count).toBe(4);
    expect(podWith(migrate({ terminated: { exitCode: 0, reason: 'Completed' } })).restart_count).toBe(3);
  });

  it('restarts of sidecars count, and those of an init container no longer once the pod is initialized', () => {
    const spec = {
      containers: [container('app')],
      initContainers: [container('migrate'), container('proxy', { restartPolicy: 'Always' })],
    };
    const status = (started: boolean) => ({
      conditions: [],
      containerStatuses: [state('app', 3, { running: {} })],
      initContainerStatuses: [
        state('migrate', 4, { terminated: { exitCode: 0 } }),
        { ...state('proxy', 2, { running: {} }), started },
      ],
    });
    expect(podWith({ spec, status: status(false) }).restart_count).toBe(6);
    expect(podWith({ spec, status: status(true) }).restart_count).toBe(5);
  });

  it('keeps the containers in trouble where there are too many, in their order', () => {
    const names = Array.from({ length: 300 }, (_, index) => `c${String(index)}`);
    const containerStatuses = names.map((name, index) =>
      index === 299
        ? state(name, 9, { waiting: { reason: 'CrashLoopBackOff' } })
        : { ...state(name, 0, { running: {} }), ready: true },
    );
    const kept = podWith({ spec: { containers: names.map((name) => container(name)) }, status: { containerStatuses } });
    expect(kept.containers).toHaveLength(100);
    expect(kept.containers.at(-1)).toMatchObject({ name: 'c299', reason: 'CrashLoopBackOff' });
    expect(kept.containers.slice(0, 99).map(({ name }) => name)).toEqual(names.slice(0, 99));
  });

  it('is well when it succeeded, although its sidecar was killed at the end', () => {
    const status = {
      phase: 'Succeeded',
      containerStatuses: [state('main', 0, { terminated: { exitCode: 0, reason: 'Completed' } })],
      initContainerStatuses: [state('side', 0, { terminated: { exitCode: 137, reason: 'Error' } })],
    };
    expect(podWith({ status }).reason).toBeNull();
    expect(podWith({ status: { ...status, phase: 'Failed' } }).reason).toBe('Error');
  });

  it('keeps the last lines of a long termination message', () => {
    const ends = (message: string) =>
      podWith({
        status: { containerStatuses: [{ ...state('app', 1, { terminated: { exitCode: 1, message } }) }] },
      }).containers.find(({ name }) => name === 'app')?.exit?.message;
    expect(ends(`${'first line\n'.repeat(200)}panic: no database`)).toMatch(/^first line\n.*panic: no database$/s);
    expect(ends(`${'first line\n'.repeat(200)}panic: no database`)?.length).toBeLessThanOrEqual(500);
    expect(ends(`start ${'x'.repeat(2000)}`)).toMatch(/^start x+$/);
  });

  it('keeps what a container wrote into its termination log', () => {
    const ended = { exitCode: 1, reason: 'Error', message: 'no database\n' };
    const status = { ...state('app', 3, { running: {} }), lastState: { terminated: ended } };
    const [app] = podWith({
      status: { containerStatuses: [status] },
      spec: { containers: [container('app')] },
    }).containers;
    expect(app?.last_termination).toMatchObject({ reason: 'Error', message: 'no database\n', exit_code: 1 });
  });

  it.each<[string, object, string, string | null]>([
    ['runs', { running: { startedAt: '2026-11-20T23:00:00Z' } }, 'running', null],
    ['waits', { waiting: { reason: 'ContainerCreating' } }, 'waiting', 'ContainerCreating'],
    ['crashes', { waiting: { reason: 'CrashLoopBackOff' } }, 'waiting', 'CrashLoopBackOff'],
    ['ended', { terminated: { exitCode: 137, reason: 'OOMKilled' } }, 'terminated', 'OOMKilled'],
    ['is nothing yet', {}, 'waiting', null],
  ])('one that %s', (_what, now, status, reason) => {
    const [one] = podWith({
      spec: { containers: [container('app')] },
      status: { containerStatuses: [state('app', 0, now)] },
    }).containers;
    expect(one).toMatchObject({ status, reason });
  });

  it('the reason shown beside the phase is the worst, waiting before ended, and never a harmless one', () => {
    const spec = { containers: [container('a'), container('b')] };
    const reasonOf = (a: object, b: object): string | null =>
      podWith({ spec, status: { containerStatuses: [state('a', 0, a), state('b', 0, b)], initContainerStatuses: [] } })
        .reason;
    const waiting = (reason: string) => ({ waiting: { reason } });
    const ended = (reason: string) => ({ terminated: { exitCode: 1, reason } });
    expect(reasonOf(waiting('PodInitializing'), waiting('ImagePullBackOff'))).toBe('ImagePullBackOff');
    expect(reasonOf(ended('OOMKilled'), waiting('CrashLoopBackOff'))).toBe('CrashLoopBackOff');
    expect(reasonOf(ended('OOMKilled'), { running: {} })).toBe('OOMKilled');
    expect(reasonOf(ended('Completed'), waiting('ContainerCreating'))).toBeNull();
  });

  it('an end whose runtime gave no reason has the words of kubectl, and none where it ended well', () => {
    const reasonOf = (terminated: object): string | null =>
      podWith({ status: { containerStatuses: [state('app', 0, { terminated })], initContainerStatuses: [] } }).reason;
    expect(reasonOf({ exitCode: 137, signal: 9 })).toBe('Signal:9');
    expect(reasonOf({ exitCode: 3 })).toBe('ExitCode:3');
    expect(reasonOf({ exitCode: 0 })).toBeNull();
  });
});

describe('controllerOf', () => {
  const reference = (name: string, controller?: boolean) => ({
    kind: 'ReplicaSet',
    name,
    uid: `uid-${name}`,
    ...(controller === undefined ? {} : { controller }),
  });

  it('is the reference that controls, else the first, else none', () => {
    expect(controllerOf([reference('a', false), reference('b', true)])?.name).toBe('b');
    expect(controllerOf([reference('a'), reference('b')])).toEqual({ kind: 'ReplicaSet', name: 'a', uid: 'uid-a' });
    expect([controllerOf([]), controllerOf(undefined), controllerOf(null)]).toEqual([null, null, null]);
  });
});
