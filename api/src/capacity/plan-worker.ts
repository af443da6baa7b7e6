import { parentPort } from 'node:worker_threads';
import { computePlan } from './compute-plan.ts';
import { parseParts, type PartTexts } from './store.ts';

/** The thread that computes plans: of a large cluster a plan takes seconds, in which the API answers others. */
parentPort?.on('message', (texts: PartTexts) => {
  parentPort?.postMessage(computePlan(parseParts(texts)), []);
});
