import { OFFLINE_AFTER_INTERVALS } from '@plimsoll/contract/rules/limits';
import type { Job } from '../jobs/scheduler.ts';
import type { ChangeFeed } from '../live/change-feed.ts';
import type { AlertStates } from './store.ts';
import { offlineChange } from './message.ts';
import { resolveUnruled } from './resolve-unruled.ts';
import type { RuleCache } from './rule-cache.ts';

/** An offline server is told of within this many seconds after its third missed report. */
const EVERY_SECONDS = 15;
/** After a start of the API nobody is called silent before they had the chance to report. */
const GRACE_INTERVALS = 2;

/** Opens the offline alert of servers that went silent; the next report of each resolves it. */
export function markSilentJob(deps: {
  alertStates: AlertStates;
  alertRules: RuleCache;
  changes: ChangeFeed;
  startedAt: number;
  reportIntervalSeconds: number;
}): Job {
  const { alertStates, alertRules, changes, startedAt, reportIntervalSeconds } = deps;
  const graceEnds = startedAt + (GRACE_INTERVALS + OFFLINE_AFTER_INTERVALS) * reportIntervalSeconds * 1000;
  return {
    name: 'mark-silent',
    everySeconds: EVERY_SECONDS,
    run: async (now) => {
      if (now < graceEnds) return null;
      let opened = 0;
      for (const { serverKey, serverId, accountId, lastSeenAt } of await alertStates.listSilent(now)) {
        const rule = (await alertRules.of(accountId)).of(serverId).offline;
        if (rule === null || now - lastSeenAt < rule.forMs) continue;
        const known = await alertStates.load(serverKey, [now]);
        const change = offlineChange('opened', now, rule);
        const saved = await alertStates.save(serverKey, known.version, known.tracks, [change]);
        if (!saved) continue;
        opened += 1;
        changes.publish(accountId, { topic: 'alerts', serverId });
      }
      return opened === 0 ? null : { opened };
    },
  };
}

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
