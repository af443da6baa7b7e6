import { expect, test } from 'vitest';
import { DEFAULT_ADVICE } from './advice.ts';
import { planClusters } from './make-plans.ts';
import type { CapacityPlans } from './store.ts';
import type { PartTexts } from './stored-plan.ts';

const NOW = Date.UTC(2026, 0, 31);
const parts = (nodes: string): PartTexts => ({
  reportsPlacements: true,
  readsVolumes: true,
  nodes: [nodes],
  pods: [],
  placements: [],
  volumes: [],
  usage: [],
  specs: [],
  ooms: [],
  days: [],
  advice: DEFAULT_ADVICE,
  autoscalers: null,
});

test('a cluster that cannot be planned costs the others nothing, and says so itself', async () => {
  const saved = new Map<number, string | null>();
  const plans: Pick<CapacityPlans, 'listDue' | 'readParts' | 'save'> = {
    listDue: () => Promise.resolve([1, 2, 3]),
    readParts: (key) => Promise.resolve(key === 3 ? null : parts(key === 1 ? 'no JSON' : '[]')),
    save: (key, { findings }) => {
      saved.set(key, findings.unknown);
      return Promise.resolve();
    },
  };
  await expect(planClusters(plans as CapacityPlans, NOW)).rejects.toThrow('1 plans failed');
  expect(saved).toEqual(
    new Map([
      [1, 'The plan took too much time or memory. It is tried again in five minutes.'],
      [2, 'No node of the cluster is reported.'],
    ]),
  );
});

test('one thread makes the plans of several clusters, one after the other', async () => {
  const saved: (string | null)[] = [];
  const plans: Pick<CapacityPlans, 'listDue' | 'readParts' | 'save'> = {
    listDue: () => Promise.resolve([1, 2, 3]),
    readParts: () => Promise.resolve(parts('[]')),
    save: (_, { findings }) => {
      saved.push(findings.unknown);
      return Promise.resolve();
    },
  };
  expect(await planClusters(plans as CapacityPlans, NOW)).toBe(3);
  expect(saved).toEqual(Array<string>(3).fill('No node of the cluster is reported.'));
});

test('without a cluster that is due nothing is computed', async () => {
  const plans: Pick<CapacityPlans, 'listDue'> = { listDue: () => Promise.resolve([]) };
  expect(await planClusters(plans as CapacityPlans, NOW)).toBeNull();
});
