import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { keptDays, type PlanInForce } from './plans.ts';
import { purgeAccount, type PurgeDeps } from './settings/purge-account.ts';
import type { Identity } from './store.ts';
import type { Job } from '../jobs/scheduler.ts';

/**
 * Deletes data that accounts keep for a shorter time than the default, what `plan` does not keep, and accounts whose
 * deletion is due.
 */
export const accountJobs = (
  storage: PurgeDeps & { identity: Pick<Identity, 'retention'> },
  plan: PlanInForce,
): Job[] => [
  {
    name: 'prune-accounts',
    everySeconds: HOUR_SECONDS,
    run: async (now) => {
      const removed = await storage.identity.retention.prune(now, keptDays(plan));
      return Object.keys(removed).length === 0 ? null : { removed };
    },
  },
  {
    name: 'delete-accounts',
    everySeconds: HOUR_SECONDS,
    run: async (now) => {
      const due = await storage.identity.accountDeletion.listDue(now);
      const errors: unknown[] = [];
      // One after the other: each is heavy. One that fails must not keep those behind it for ever.
      for (const personId of due)
        await purgeAccount(storage, personId, now).catch((error: unknown) => errors.push(error));
      if (errors.length > 0)
        throw new AggregateError(errors, `${errors.length} of ${due.length} accounts could not be deleted`);
      return due.length === 0 ? null : { deleted: due.length };
    },
  },
];
