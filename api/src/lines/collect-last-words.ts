import type { Kubernetes } from '../kubernetes/store.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { shapeWords } from './shape-words.ts';
import type { LastWords } from './store.ts';
import type { EndedRun } from './types.ts';

export interface LastWordsDeps {
  lastWords: LastWords;
  kubernetes: Pick<Kubernetes, 'views' | 'logs'>;
}

/** Beside the people who read a log. */
const READER = 'last words';

/**
 * Requests the end of the log of each run that a restart or the failure of its pod ended, once, and stores what arrived. The
 * log travels as one that a person opens: only where the chart allows it, redacted by both sides.
 */
export async function collectLastWords(
  deps: LastWordsDeps,
  now: number,
): Promise<{ requested: number; stored: number }> {
  const { lastWords } = deps;
  let stored = 0;
  for (const { run, lines } of await lastWords.listAnswered(now)) {
    await lastWords.keep(run, shapeWords(lines), now);
    stored += 1;
  }
  await lastWords.giveUp(now);
  let requested = 0;
  for (const run of await lastWords.listWanted(now)) if (await request(deps, run, now)) requested += 1;
  return { requested, stored };
}

async function request({ lastWords, kubernetes }: LastWordsDeps, run: EndedRun, now: number): Promise<boolean> {
  const owner = ownerOf(run.organisationId);
  const pod = await kubernetes.views.pod({ owner, clusterId: run.clusterId }, run.namespace, run.pod, now);
  if (pod === null || pod.object.uid !== run.podUid) return false;
  const found = await kubernetes.logs.request(
    pod,
    owner,
    { container: run.container, previous: run.restarted, reader: READER },
    now,
  );
  // Too many logs of the cluster wait: the next run of the job tries again.
  return typeof found === 'string' ? false : lastWords.addPending(run, now);
}
