import { eventObject, nodeObject, podObject, workloadObject } from '@plimsoll/contract/wire/cluster-objects';
import { describe, expect, it } from 'vitest';
import { events } from './events.ts';
import { usageByNode } from './metrics-server.ts';
import { nodes } from './nodes.ts';
import { jobs, replicaSets, topOwner } from './owners.ts';
import { pods, type ProjectedPod } from './pods.ts';
import { captured, capturedList } from '../testing/captured.ts';
import { cronJobs, deployments } from './workloads.ts';

const allPods = (): ProjectedPod[] => [...capturedList('pods'), captured('pod-static')].map((one) => pods.project(one));
const podNamed = (start: string): ProjectedPod => {
  const found = allPods().find(({ name }) => name.startsWith(start));
  if (!found) throw new Error(`no captured pod ${start}`);
  return found;
};
const links = () =>
  new Map(
    [
      ...capturedList('replicasets').map((one) => replicaSets.project(one)),
      ...capturedList('jobs').map((one) => jobs.project(one)),
    ].map(({ uid, controller }) => [uid, controller]),
  );

describe('projections of captured objects', () => {
  it('are what the contract takes', () => {
    for (const { controller, placement, ...projected } of allPods()) {
      const pod = placement === undefined ? projected : { ...projected, placement: placement && placement.hash };
      expect(podObject.parse({ ...pod, owner: topOwner(controller, links()) })).toBeDefined();
    }
    for (const node of capturedList('nodes')) expect(nodeObject.parse(nodes.project(node))).toBeDefined();
    for (const event of capturedList('events')) expect(eventObject.parse(events.project(event))).toBeDefined();
    const workloads = [deployments, cronJobs].flatMap((reader) =>
      capturedList('workloads').flatMap((one) =>
        `${one.kind.toLowerCase()}s` === reader.name ? reader.project(one) : [],
      ),
    );
    expect(workloads.map((one) => workloadObject.parse(one).name).toSorted()).toEqual(['burner', 'leaky', 'nightly']);
  });

  it('name the owner at the top of the chain', () => {
    const owner = (start: string) => topOwner(podNamed(start).controller, links());
    expect(owner('leaky-')).toEqual({ kind: 'Deployment', name: 'leaky' });
    expect(owner('nightly-')).toEqual({ kind: 'CronJob', name: 'nightly' });
    expect(owner('missing-image')).toBeNull();
    expect(owner('etcd-')).toEqual({ kind: 'Node', name: 'plimsoll-control-plane' });
  });

  it('an owner that is not known leaves its own name', () => {
    expect(topOwner(podNamed('leaky-').controller, new Map())).toMatchObject({ kind: 'ReplicaSet' });
  });

  it('owners in a circle end', () => {
    const a = { kind: 'A', name: 'a', uid: 'a' };
    const b = { kind: 'B', name: 'b', uid: 'b' };
    expect(
      topOwner(
        a,
        new Map([
          ['a', b],
          ['b', a],
        ]),
      ),
    ).not.toBeNull();
  });

  it.each([
    ['leaky-', 'Running', 'CrashLoopBackOff'],
    ['missing-image', 'Pending', 'ImagePullBackOff'],
    ['too-large', 'Pending', 'Unschedulable'],
    ['nightly-', 'Failed', 'Error'],
    ['burner-', 'Running', null],
    ['etcd-', 'Running', null],
  ])('%s is %s with reason %s', (start, phase, reason) => {
    expect(podNamed(start)).toMatchObject({ phase, reason });
  });

  // This runtime reports a kill for memory as "Error", 137; others report OOMKilled. Both are kept as reported.
  it('tell what ended the last run and the limit it had', () => {
    const [container] = podNamed('leaky-').containers;
    expect(container?.last_termination).toMatchObject({ reason: 'Error', exit_code: 137 });
    expect(container?.limits.memory_bytes).toBe(96 * 2 ** 20);
  });

  it('count the largest init container as requested while it is larger than the rest', () => {
    expect(podNamed('burner-')).toMatchObject({
      requests: { cpu_cores: 0.2, memory_bytes: 32 * 2 ** 20 },
      limits: { cpu_cores: 0.5, memory_bytes: 128 * 2 ** 20 },
      restart_count: 0,
    });
    expect(podNamed('leaky-').limits).toEqual({ cpu_cores: null, memory_bytes: 96 * 2 ** 20 });
  });

  it('nodes carry condition, roles, taints and sizes', () => {
    const all = capturedList('nodes').map((one) => nodes.project(one));
    const master = all.find(({ roles }) => roles.includes('control-plane'));
    expect(master).toMatchObject({ ready: true, os_type: 'linux', architecture: 'amd64', kubelet_version: 'v1.34.4' });
    expect(master?.capacity.cpu_cores).toBeGreaterThan(0);
    expect(master?.allocatable.memory_bytes).toBeGreaterThan(2 ** 30);
  });

  it('metrics of pods are put to the node the watch knows', () => {
    const where = new Map(allPods().map((pod) => [`${pod.namespace}/${pod.name}`, pod]));
    const read = (name: string) => (captured(name) as { items: [] }).items;
    const usage = usageByNode(read('metrics-nodes'), read('metrics-pods'), (key) => where.get(key));
    const burner = podNamed('burner-');
    const node = usage.find(({ node_name: name }) => name === burner.node_name);
    expect(node?.cpu_cores).toBeGreaterThan(0);
    expect(node?.pods.find(({ uid }) => uid === burner.uid)?.cpu_cores).toBeGreaterThan(0.1);
  });

  it('texts of any length and kind come out storable', () => {
    const [event] = capturedList('events');
    const hostile = { ...event, message: `a\0b\uD800${'x'.repeat(9000)}` };
    const { message } = events.project(hostile);
    expect(message.length).toBeLessThanOrEqual(1024);
    expect(message.isWellFormed() && !message.includes('\0')).toBe(true);
  });
});
