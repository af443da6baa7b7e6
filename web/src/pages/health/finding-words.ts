import type { HealthFinding } from '@plimsoll/contract/wire/installation-health';

interface FindingWords {
  /** Says what happens. */
  sentence: string;
  /** Says what it means, or what to do. */
  remedy: string;
}

export const FINDING: Record<HealthFinding, FindingWords> = {
  job_failing: {
    sentence: 'A background job fails',
    remedy: 'It runs again at its next time. The log of the API has the text of the error.',
  },
  rollups_behind: {
    sentence: 'Rollups are late',
    remedy: 'Long ranges end early until they catch up. Check the load of the database.',
  },
  buckets_set_aside: {
    sentence: 'Some buckets of the history could not be rolled up',
    remedy: 'The API tries them again. Its log names each bucket and the error.',
  },
  series_store_behind: {
    sentence: 'The time-series store lacks the newest samples',
    remedy: 'Charts show what the database has. The panel below has the last error. Sending continues by itself.',
  },
  disk_full_soon: {
    sentence: 'The disk of the database is nearly full',
    remedy: 'Add space, or shorten the retention on the Profile page.',
  },
  messages_waiting: {
    sentence: 'Notifications are more than 5 minutes late',
    remedy: 'A channel may be blocked: see the last deliveries below.',
  },
  channel_failing: {
    sentence: 'A channel did not deliver its last message',
    remedy: 'Send a test message on the page of the alert channels.',
  },
  agents_outdated: {
    sentence: 'Some agents are older than this API',
    remedy: 'Update them before the next upgrade: an API accepts agents of one minor version before its own.',
  },
  replica_versions_differ: {
    sentence: 'The replicas run different versions',
    remedy: 'Finish the upgrade. The new version stays compatible with the one before it only.',
  },
};
