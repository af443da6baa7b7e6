import type { Job } from '../jobs/scheduler.ts';
import { type IngestWatchState, LOOK_EVERY_MS } from './incidents/ingest-pause.ts';
import type { IngestWatch } from './store.ts';
import { judgeRefusals, type RefusalDeps } from './evaluation/judge-refusals.ts';
import { judgeSilentServers, type SilenceDeps } from './evaluation/judge-silence.ts';
import { markSilentClusters, type SilentClusterDeps } from './evaluation/evaluate-cluster.ts';
import { resolveUnruled } from './rules/resolve-unruled.ts';

/** Servers and clusters are judged by the same look: each is a transaction. */
export function sharedLook(watch: IngestWatch): IngestWatch {
  let last: { at: number; state: Promise<IngestWatchState> } | null = null;
  return {
    ...watch,
    look: (now, intervalMs) => {
      if (last !== null && now >= last.at && now - last.at < LOOK_EVERY_MS / 2) return last.state;
      const state = watch.look(now, intervalMs);
      last = { at: now, state };
      // The next one looks for itself.
      state.catch(() => (last = null));
      return state;
    },
  };
}

/** Opens the offline alert of servers that went silent; the next report of each resolves it. */
export const markSilentJob = (deps: SilenceDeps): Job => ({
  name: 'mark-silent',
  everySeconds: LOOK_EVERY_MS / 1000,
  run: async (now) => {
    const result = await judgeSilentServers(deps, now);
    return result === null || Object.values(result).every((count) => count === 0) ? null : result;
  },
});

/** Opens the alert of servers whose reports are refused; the next stored report of each resolves it. */
export const markRefusedJob = (deps: RefusalDeps): Job => ({
  name: 'mark-refused',
  everySeconds: LOOK_EVERY_MS / 1000,
  run: async (now) => {
    const result = await judgeRefusals(deps, now);
    return result.opened + result.resolved === 0 ? null : result;
  },
});

/** Opens the alert of clusters whose collector went silent. */
export const markSilentClustersJob = (deps: SilentClusterDeps): Job => ({
  name: 'mark-silent-clusters',
  everySeconds: LOOK_EVERY_MS / 1000,
  run: async (now) => {
    const opened = await markSilentClusters(deps, now);
    return opened === 0 ? null : { opened };
  },
});

/** Tags and owners of servers change without the rules. A rule's own change resolves its alerts at once. */
const UNRULED_EVERY_SECONDS = 60;

/** Resolves open alerts whose rule no longer applies to the server. */
export const resolveUnruledJob = (deps: Parameters<typeof resolveUnruled>[0]): Job => ({
  name: 'resolve-unruled-alerts',
  everySeconds: UNRULED_EVERY_SECONDS,
  run: async (now) => {
    const resolved = await resolveUnruled(deps, now);
    return resolved === 0 ? null : { resolved };
  },
});
