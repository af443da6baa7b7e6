import { beforeEach, describe, expect, it } from 'vitest';
import { jobs } from '../watch/owners.ts';
import type { Store } from '../watch/reflector.ts';
import { deployments } from '../watch/workloads.ts';
import { createDigester, type Described } from './described.ts';
import { DescribedState } from './described-state.ts';

const raw = (name: string, image: string, more: object = {}) => ({
  metadata: { uid: `${name}-uid`, namespace: 'shop', name, ...more },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'web', image }] } } },
});

describe('DescribedState', () => {
  let state: DescribedState;
  let plain: { uid: string }[];
  let removed: string[];
  const store: Store<{ uid: string }> = {
    upsert: (object) => plain.push(object),
    remove: ({ uid }) => removed.push(uid),
    retain: () => undefined,
  };
  const taken = (): { changed: string[]; deleted: string[] } => {
    const { changed, deleted } = state.projection.take(false);
    return { changed: changed.map(({ name }) => name), deleted };
  };

  beforeEach(() => {
    state = new DescribedState(['workloads', 'services'], createDigester('token'));
    plain = [];
    removed = [];
  });

  it('one watch feeds the rows and the descriptions, and a second reading of the same is no news', () => {
    const resource = state.also(deployments, 'Deployment');
    const both = state.both(store, 'Deployment');
    both.upsert(resource.project(raw('a', 'a:1')));
    expect(taken()).toEqual({ changed: ['a'], deleted: [] });
    both.upsert(resource.project(raw('a', 'a:1', { resourceVersion: '2', managedFields: [{ manager: 'x' }] })));
    expect(taken().changed).toEqual([]);
    both.upsert(resource.project(raw('a', 'a:2')));
    expect(taken().changed).toEqual(['a']);
    expect(plain).toHaveLength(3);
    both.remove(resource.project(raw('a', 'a:2')));
    expect([taken().deleted, removed]).toEqual([['a-uid'], ['a-uid']]);
  });

  it('an object that cannot be described keeps its row and its last state', () => {
    const resource = state.also(deployments, 'Deployment');
    const both = state.both(store, 'Deployment');
    both.upsert(resource.project(raw('a', 'a:1')));
    taken();
    both.upsert(resource.project({ ...raw('a', 'a:2'), spec: { template: { spec: { containers: 7 } } } }));
    expect(plain).toHaveLength(2);
    expect(taken()).toEqual({ changed: [], deleted: [] });
  });

  it('a Job of a CronJob is not described, and its end is no deletion', () => {
    const resource = state.also(jobs, 'Job', ({ controller }) => controller === null);
    const both = state.both({ ...store, upsert: () => undefined }, 'Job');
    const owned = { ownerReferences: [{ kind: 'CronJob', name: 'n', uid: 'u', controller: true }] };
    both.upsert(resource.project(raw('owned', 'a:1', owned)));
    both.upsert(resource.project(raw('own', 'a:1')));
    both.remove(resource.project(raw('owned', 'a:1', owned)));
    expect(taken()).toEqual({ changed: ['own'], deleted: [] });
  });

  it('a listing of one kind leaves the others', () => {
    const object = (uid: string, kind: Described['kind']): Described => ({
      uid,
      kind,
      namespace: null,
      name: uid,
      by: null,
      editedAt: null,
      state: '',
    });
    state.store('Service').upsert(object('s', 'Service'));
    state.store('Ingress').upsert(object('i', 'Ingress'));
    state.store('Service').retain(new Set());
    expect(taken()).toEqual({ changed: ['i'], deleted: ['s'] });
  });

  it('without its group a kind is not described', () => {
    const none = new DescribedState([], createDigester('token'));
    expect(none.also(deployments, 'Deployment').project(raw('a', 'a:1')).described).toBeNull();
    expect(none.resources).toEqual([]);
  });
});
