import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { SeriesStore } from '../store.ts';
import type { SeriesDeps } from './ship-samples.ts';
import { StoreUnavailable, type SeriesDeletion } from './types.ts';

const FIRST_WAIT_MS = 300_000;
const MOST_WAIT_MS = 6 * HOUR_MS;
/** Deletions of one run. */
const MOST = 100;
/**
 * A request that was under way may arrive after the deletion, and Prometheus deletes late samples only after it has
 * compacted them.
 */
const CHECK_AFTER_MS = HOUR_MS;

const NO_DELETE_URL = 'PLIMSOLL_SERIES_DELETE_URL is not set';

type Outcome = 'gone' | { deletion: SeriesDeletion; retryAt: number };

/** Deletes the series of a server, or checks an earlier deletion and repeats it. */
async function attempt(store: SeriesStore, deletion: SeriesDeletion, now: number): Promise<Outcome> {
  const { serverId, tenant, deletedAt, attempts } = deletion;
  if (store.drop === null) {
    // The store drops old samples by itself. Only a second look is sure that no request was under way.
    if (attempts > 0 && !(await store.holds(tenant, serverId, now))) return 'gone';
    return { deletion: { ...deletion, attempts: attempts + 1, error: NO_DELETE_URL }, retryAt: now + MOST_WAIT_MS };
  }
  if (deletedAt !== null && !(await store.holds(tenant, serverId, now))) return 'gone';
  await store.drop(tenant, serverId);
  return { deletion: { ...deletion, deletedAt: now, error: null }, retryAt: now + CHECK_AFTER_MS };
}

const waitAfter = (attempts: number): number => Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts, 10), MOST_WAIT_MS);

/** Deletes the series of deleted servers. Two replicas may do the same; a deletion can be repeated. */
export async function deleteSeries({
  outbox,
  store,
  clock,
}: SeriesDeps): Promise<{ deleted: number; waiting: number }> {
  const now = clock.now();
  const due = await outbox.dueDeletions(now, MOST);
  let deleted = 0;
  for (const deletion of due) {
    const { serverId, attempts } = deletion;
    try {
      const outcome = await attempt(store, deletion, now);
      if (outcome === 'gone') await outbox.forgetDeletion(serverId);
      else await outbox.saveDeletion(outcome.deletion, outcome.retryAt);
      if (outcome === 'gone') deleted += 1;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const failed = { ...deletion, attempts: attempts + 1, error: error.message };
      await outbox.saveDeletion(failed, now + waitAfter(attempts));
    }
  }
  return { deleted, waiting: due.length - deleted };
}
