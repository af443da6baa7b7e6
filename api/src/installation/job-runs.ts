import type { JobRuns, Replica } from './types.ts';

export interface JobOfAll extends JobRuns {
  /** Running replicas whose last run of the job failed. */
  replicasFailing: number;
}

const isFailing = ({ lastSuccessAt, lastFailureAt }: JobRuns): boolean =>
  lastFailureAt !== null && lastFailureAt > (lastSuccessAt ?? 0);
const later = (a: number | null, b: number | null): number | null => (a === null || (b ?? 0) > a ? b : a);

/** Joins the runs of all replicas by job: of each the last success, and the last failure with its code. */
export function jobsOfAll(replicas: readonly (Pick<Replica, 'jobs'> & { isRunning: boolean })[]): JobOfAll[] {
  const joined = new Map<string, JobOfAll>();
  for (const { jobs, isRunning } of replicas)
    for (const job of jobs ?? []) {
      const { name, lastSuccessAt, lastFailureAt, lastErrorCode } = job;
      const known = joined.get(name);
      const failing = isRunning && isFailing(job) ? 1 : 0;
      joined.set(name, {
        name,
        lastSuccessAt: later(known?.lastSuccessAt ?? null, lastSuccessAt),
        lastFailureAt: later(known?.lastFailureAt ?? null, lastFailureAt),
        lastErrorCode:
          (lastFailureAt ?? 0) > (known?.lastFailureAt ?? 0) ? lastErrorCode : (known?.lastErrorCode ?? null),
        replicasFailing: (known?.replicasFailing ?? 0) + failing,
      });
    }
  return [...joined.values()].toSorted(
    (a, b) => b.replicasFailing - a.replicasFailing || a.name.localeCompare(b.name, 'en'),
  );
}
