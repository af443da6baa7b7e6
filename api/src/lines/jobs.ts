import type { Job } from '../jobs/scheduler.ts';
import { collectLastWords, type LastWordsDeps } from './collect-last-words.ts';

const EVERY_SECONDS = 15;

/** Requests and stores the last words of containers that restarted. */
export const lastWordsJob = (deps: LastWordsDeps): Job => ({
  name: 'last-words',
  everySeconds: EVERY_SECONDS,
  run: async (now) => {
    const result = await collectLastWords(deps, now);
    return result.requested + result.stored === 0 ? null : result;
  },
});
