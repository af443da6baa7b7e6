import type { RunResult } from './results.ts';

/** Returns a run as tests need one: catalog is broken, and Plimsoll accuses it. */
export function exampleRun(more: Partial<RunResult> = {}): RunResult {
  const catalog = { kind: 'workload' as const, name: 'catalog', object_kind: 'Deployment', namespace: 'shop-101' };
  return {
    incident: 'image-missing',
    round: 1,
    place: 'cluster',
    fault: 'catalog is changed to an image tag that does not exist',
    causes: [{ entities: [{ kind: 'workload', name: 'catalog' }], mechanism: 'no image', change: null }],
    related: [],
    decoy: null,
    isReplayed: false,
    namespace: 'shop-101',
    injectedAt: '2027-01-01T00:00:00.000Z',
    endedAt: '2027-01-01T00:03:00.000Z',
    secondsToIncident: 61,
    said: [],
    accused: { early: [], late: [catalog] },
    scores: { early: 0, late: 1 },
    baseline: { named: [], score: 0 },
    isChangeNamed: null,
    changes: [],
    commit: 'abc1234',
    ...more,
  };
}
