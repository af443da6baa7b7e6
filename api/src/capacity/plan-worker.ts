import { parentPort } from 'node:worker_threads';
import { computePlan } from './compute-plan.ts';
import type { PlanRequest } from './make-plans.ts';
import { parseParts } from './store.ts';

/** The thread that computes plans: of a large cluster a plan takes seconds, in which the API answers others. */
parentPort?.on('message', ({ texts, now }: PlanRequest) => {
  parentPort?.postMessage(computePlan(parseParts(texts), now), []);
});
