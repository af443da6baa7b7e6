import type { EventObject, NodeObject, VolumeObject, WorkloadObject } from '@plimsoll/contract/wire/cluster-objects';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDigester } from '../changes/described.ts';
import { DescribedState } from '../changes/described-state.ts';
import { ClusterState, type Draft } from './cluster-state.ts';
import type { EndSeen } from '../watch/container-terminations.ts';
import { jobs, replicaSets } from '../watch/owners.ts';
import { type Controller, pods, type ProjectedPod } from '../watch/pods.ts';
import { capturedList, capturedObject } from '../testing/captured.ts';
import { FakeTiming } from '../testing/fake-timing.ts';
import { listInto } from '../testing/list-into.ts';

const node = (uid: string): NodeObject => ({ uid, name: uid }) as NodeObject;
const workload = (kind: WorkloadObject['kind'], uid: string): WorkloadObject => ({ kind, uid }) as WorkloadObject;
const event = (uid: string): EventObject => ({ uid, type: 'Normal' }) as EventObject;
const podNamed = (start: string): ProjectedPod => pods.project(capturedObject('pods', start));
const controller = (uid: string): Controller => ({ kind: 'Deployment', name: uid, uid });
const end = (more: Partial<EndSeen> = {}): EndSeen =>
  ({ pod_uid: 'u', container: 'app', run: 1, reason: null, controller: null, ...more }) as EndSeen;

describe('ClusterState', () => {
  let state: ClusterState;
  const read = ({ part }: Draft) => ({
    ...part,
    pods: part.pods?.slice(0, part.pods.length),
    volumes: part.volumes?.slice(0, part.volumes.length),
  });
  const draft = (all = false) => read(state.draft(all));
  const workloadsKnown = (): string[] => [...state.workloads.objects.keys()];

  beforeEach(() => {
    state = new ClusterState(new FakeTiming(), new DescribedState([], createDigester('token')));
  });

  it('sends the constraints of its pods once each, and pods refer to them', () => {
    const store = state.podStore();
    const placed = (uid: string, disk: string): ProjectedPod => ({
      ...podNamed('leaky-'),
      uid,
      placement: { hash: disk, node_selector: { disk } },
    });
    for (const [uid, disk] of [
      ['a', 'ssd'],
      ['b', 'ssd'],
      ['c', 'hdd'],
    ] as const)
      store.upsert(placed(uid, disk));
    const { placements, pods: sent } = draft(true);
    expect(placements?.map(({ hash }) => hash)).toEqual(['ssd', 'hdd']);
    expect(sent?.map(({ placement }) => placement)).toEqual(['ssd', 'ssd', 'hdd']);
    expect(state.pods.objects.get('b')?.placement).toBe(state.pods.objects.get('a')?.placement);
    store.upsert({ ...placed('c', 'hdd'), restart_count: 77 });
    expect(draft().placements?.map(({ hash }) => hash)).toEqual(['hdd']);
  });

  it('sends a claim again when its volume says which nodes can mount it', () => {
    const claim = { uid: 'claim', namespace: 'shop', name: 'data' } as VolumeObject;
    const store = state.boundVolumeStore();
    const sent = () => draft().volumes?.map(({ node_affinity: nodes }) => nodes);
    state.volumes.upsert(claim);
    expect(sent()).toEqual([undefined]);
    store.upsert({ uid: 'pv', claimUid: 'claim', nodeAffinity: [{ labels: 'zone in (a)' }] });
    expect(sent()).toEqual([[{ labels: 'zone in (a)' }]]);
    store.upsert({ uid: 'pv', claimUid: 'claim', nodeAffinity: [{ labels: 'zone in (a)' }] });
    expect(sent()).toEqual([]);
    store.retain(new Set());
    expect(sent()).toEqual([undefined]);
  });

  it('tells of a pod under the owner a person knows, as soon as the links are there', () => {
    const leaky = podNamed('leaky-');
    state.pods.upsert(leaky);
    expect(draft().pods?.[0]?.owner).toMatchObject({ kind: 'ReplicaSet' });
    listInto(
      state.linkStore(),
      capturedList('replicasets').map((one) => replicaSets.project(one)),
    );
    expect(draft(true).pods?.[0]?.owner).toEqual({ kind: 'Deployment', name: 'leaky' });
    expect(draft(true).pods?.[0]).not.toHaveProperty('controller');
  });

  it('a listing of one kind of link leaves the others', () => {
    const [sets, tasks] = [state.linkStore(), state.linkStore()];
    listInto(
      tasks,
      capturedList('jobs').map((one) => jobs.project(one)),
    );
    const before = state.links.size;
    listInto(sets, [
      { uid: 'a', controller: controller('x') },
      { uid: 'b', controller: null },
    ]);
    expect(state.links.size).toBe(before + 2);
    listInto(sets, [{ uid: 'b', controller: null }]);
    expect([state.links.size, state.links.has('a'), state.links.has('b')]).toEqual([before + 1, false, true]);
    sets.remove({ uid: 'b', controller: null });
    expect(state.links.size).toBe(before);
  });

  it('reports each job that failed lately once, under the CronJob that made it', () => {
    const timing = new FakeTiming();
    state = new ClusterState(timing, new DescribedState([], createDigester('token')));
    const store = state.jobStore();
    const job = (name: string, failedSecondsAgo: number | null) =>
      jobs.project({
        metadata: {
          uid: name,
          name,
          namespace: 'shop',
          ownerReferences: [{ kind: 'CronJob', name: 'backup', uid: 'cron', controller: true }],
        },
        status: {
          conditions:
            failedSecondsAgo === null
              ? [{ type: 'Complete', status: 'True' }]
              : [
                  { type: 'FailureTarget', status: 'True', reason: 'BackoffLimitExceeded' },
                  {
                    type: 'Failed',
                    status: 'True',
                    reason: 'BackoffLimitExceeded',
                    message: 'Job has reached the specified backoff limit',
                    lastTransitionTime: new Date(timing.now() - failedSecondsAgo * 1000).toISOString(),
                  },
                ],
        },
      });
    listInto(store, [job('good', null), job('bad', 60), job('old', 100_000)]);
    const first = state.draft(false);
    expect(first.part.jobs).toMatchObject([
      {
        uid: 'bad',
        namespace: 'shop',
        name: 'bad',
        owner: { kind: 'CronJob', name: 'backup' },
        conditions: [
          { type: 'FailureTarget', since: null },
          { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', since: timing.now() / 1000 - 60 },
        ],
      },
    ]);
    first.rollback();
    expect(state.draft(false).part.jobs).toHaveLength(1);
    first.commit();
    expect(state.draft(false).part.jobs).toEqual([]);
    expect(state.links.has('good')).toBe(true);
  });

  it('a listing of one kind of workload leaves the others, and ends its own', () => {
    const [deployments, sets] = [state.workloadStore('Deployment'), state.workloadStore('StatefulSet')];
    listInto(deployments, [workload('Deployment', 'd1'), workload('Deployment', 'd2')]);
    listInto(sets, [workload('StatefulSet', 's1')]);
    draft();
    listInto(deployments, [workload('Deployment', 'd2')]);
    expect(workloadsKnown().toSorted()).toEqual(['d2', 's1']);
    expect(draft()).toMatchObject({ workloads: [], deleted: { workloads: ['d1'], pods: [], nodes: [], volumes: [] } });
    sets.remove(workload('StatefulSet', 's1'));
    expect(workloadsKnown()).toEqual(['d2']);
  });

  it('an event that expires is no news, and a listing of events forgets none that is not told yet', () => {
    state.events.upsert(event('a'));
    state.events.remove(event('a'));
    listInto(state.events, [event('b')]);
    expect(draft().events?.map(({ uid }) => uid)).toEqual(['a', 'b']);
    expect(draft()).not.toHaveProperty('deleted');
  });

  it('what did not arrive is told again; what did is not', () => {
    state.nodes.upsert(node('n'));
    state.events.upsert(event('e'));
    state.addEnds([end()]);
    const lost = state.draft(false);
    lost.rollback();
    const again = state.draft(false);
    expect(read(again)).toEqual(read(lost));
    expect(again.part).toMatchObject({ nodes: [{ uid: 'n' }], events: [{ uid: 'e' }], ends: [{ run: 1 }] });
    again.commit();
    expect(draft()).toMatchObject({ nodes: [], events: [], ends: [] });
  });

  it('one run of a container ends once, whoever tells of it, and the newest account stands', () => {
    state.addEnds([end(), end({ reason: 'OOMKilled' }), end({ run: 2 }), end({ container: 'other' })]);
    expect(draft().ends?.map(({ container, run, reason }) => [container, run, reason])).toEqual([
      ['app', 1, 'OOMKilled'],
      ['app', 2, null],
      ['other', 1, null],
    ]);
  });

  it('counts a restart that the watch shows, with the owner of the pod', () => {
    listInto(
      state.linkStore(),
      capturedList('replicasets').map((one) => replicaSets.project(one)),
    );
    const leaky = podNamed('leaky-');
    state.pods.upsert(leaky);
    const first = draft().ends ?? [];
    const again = leaky.containers.map((one) => ({ ...one, restart_count: one.restart_count + 1 }));
    state.pods.upsert({ ...leaky, containers: again });
    const ends = draft().ends ?? [];
    expect(ends.length).toBe(first.length + 1);
    expect(ends.at(-1)).toMatchObject({
      pod_uid: leaky.uid,
      restarted: true,
      run: leaky.restart_count,
      owner: { kind: 'Deployment', name: 'leaky' },
    });
  });

  it('a pod that is gone is told as gone, and found by name no more', () => {
    const leaky = podNamed('leaky-');
    state.pods.upsert(leaky);
    expect(state.podsByName().get(`${leaky.namespace}/${leaky.name}`)?.uid).toBe(leaky.uid);
    draft();
    state.pods.remove(leaky);
    expect(draft().deleted?.pods).toEqual([leaky.uid]);
    expect(state.podsByName().size).toBe(0);
  });

  it('a full listing names everything and nothing that is gone: what it does not name is', () => {
    listInto(state.nodes, [node('a'), node('b')]);
    draft();
    listInto(state.nodes, [node('b')]);
    const part = draft(true);
    expect([part.nodes?.map(({ uid }) => uid), part.deleted]).toEqual([['b'], undefined]);
  });
});
