import type { Job } from '../jobs/scheduler.ts';
import { judgeChecks, type JudgeDeps } from './judge-checks.ts';
import type { CheckRollups } from './store.ts';
import type { ApiRunner } from './run-checks.ts';

const RUN_EVERY_SECONDS = 5;
const ROLL_UP_EVERY_SECONDS = 60;
const JUDGE_EVERY_SECONDS = 10;

/** Starts the checks of the API that are due, and stores what ended. */
export const runChecksJob = (runner: Pick<ApiRunner, 'tick'>): Job => ({
  name: 'run-checks',
  everySeconds: RUN_EVERY_SECONDS,
  run: async (now) => {
    const result = await runner.tick(now);
    return result.started + result.stored === 0 ? null : result;
  },
});

/** Rolls results up for the charts. A long stop is caught up in several runs. */
export const rollUpChecksJob = (rollups: CheckRollups): Job => ({
  name: 'roll-up-checks',
  everySeconds: ROLL_UP_EVERY_SECONDS,
  run: async (now) => {
    const rows = await rollups.advance(now);
    return rows === null || rows === 0 ? null : { rows };
  },
});

/** Turns results and calls into outages and alerts. */
export function judgeChecksJob(deps: JudgeDeps): Job {
  let startedAt: number | null = null;
  return {
    name: 'judge-checks',
    everySeconds: JUDGE_EVERY_SECONDS,
    run: async (now) => {
      startedAt ??= now;
      const result = await judgeChecks(deps, now, startedAt);
      return result === null || result.changed + result.alerts === 0 ? null : result;
    },
  };
}
