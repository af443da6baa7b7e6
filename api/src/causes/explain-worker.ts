import { parentPort } from 'node:worker_threads';
import type { Evidence } from './evidence.ts';
import { explain } from './explain.ts';

/** The thread that explains: of a large fleet it takes long enough to delay the reports of others. */
parentPort?.postMessage('loaded', []);
parentPort?.on('message', (evidence: Evidence) => {
  parentPort?.postMessage(explain(evidence), []);
});
