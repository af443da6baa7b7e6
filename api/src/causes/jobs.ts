import type { Job } from '../jobs/scheduler.ts';
import { explainDue, type ExplainDueDeps } from './explain-due.ts';

/** Messages wait 30 s for others of their group, so the first message of an incident carries its cause. */
const EVERY_SECONDS = 5;

/** Computes the causes of open incidents. */
export function explainJob(deps: ExplainDueDeps): Job {
  // The start of the API waits for the first run of each job.
  let isStart = true;
  return {
    name: 'explain-incidents',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      if (isStart) {
        isStart = false;
        return null;
      }
      const result = await explainDue(deps);
      return result.computed + result.failed === 0 ? null : result;
    },
  };
}
