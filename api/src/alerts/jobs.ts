import { OFFLINE_AFTER_INTERVALS } from '@plimsoll/contract/rules/limits';
import type { Job } from '../jobs/scheduler.ts';
import type { ChangeFeed } from '../live/change-feed.ts';
import type { AlertStates } from './store.ts';
import { offlineChange } from './message.ts';

/** An offline server is told of within this many seconds after its third missed report. */
const EVERY_SECONDS = 15;
/** After a start of the API nobody is called silent before they had the chance to report. */
const GRACE_INTERVALS = 2;

/** Opens the offline alert of servers that went silent; the next report of each resolves it. */
export function markSilentJob(deps: {
  alertStates: AlertStates;
  changes: ChangeFeed;
  startedAt: number;
  reportIntervalSeconds: number;
}): Job {
  const { alertStates, changes, startedAt, reportIntervalSeconds } = deps;
  const graceEnds = startedAt + (GRACE_INTERVALS + OFFLINE_AFTER_INTERVALS) * reportIntervalSeconds * 1000;
  return {
    name: 'mark-silent',
    everySeconds: EVERY_SECONDS,
    run: async (now) => {
      if (now < graceEnds) return null;
      let opened = 0;
      for (const { serverKey, serverId, accountId } of await alertStates.listSilent(now)) {
        const known = await alertStates.load(serverKey, [now]);
        const saved = await alertStates.save(serverKey, known.version, known.tracks, [offlineChange('opened', now)]);
        if (!saved) continue;
        opened += 1;
        changes.publish(accountId, { topic: 'alerts', serverId });
      }
      return opened === 0 ? null : { opened };
    },
  };
}
