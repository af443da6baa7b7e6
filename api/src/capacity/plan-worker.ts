import { parentPort } from 'node:worker_threads';
import { computePlan } from './compute-plan.ts';
import { draftOf } from './make-findings.ts';
import type { PlanRequest } from './make-plans.ts';
import { parseParts } from './stored-plan.ts';

/** The thread that computes plans: of a large cluster a plan takes seconds, in which the API answers others. */
parentPort?.on('message', ({ texts, now }: PlanRequest) => {
  parentPort?.postMessage(draftOf(computePlan(parseParts(texts), now), now), []);
});
