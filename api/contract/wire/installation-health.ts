import { z } from 'zod';
import { CHANNEL_TYPES, DELIVERY_OUTCOMES } from '../rules/notify.ts';

const amount = z.number().nonnegative();
const count = z.int().nonnegative();
/** The reason why the figures beside it are null; null: none of them is. */
const reason = z.string().nullable();

/** Faults that an operator should look at. */
export const HEALTH_FINDINGS = [
  'job_failing',
  'rollups_behind',
  'buckets_set_aside',
  'series_store_behind',
  'disk_full_soon',
  'messages_waiting',
  'channel_failing',
  'agents_outdated',
  'replica_versions_differ',
] as const;

/** Kinds of programs that report: one on a host, one on each node of a cluster, one for a cluster. */
export const AGENT_KINDS = ['host_agent', 'node_agent', 'cluster_collector'] as const;

const ingest = z.object({
  /** The figures cover the reports that arrived in this time. */
  window_seconds: amount,
  reports_accepted: count,
  reports_per_minute: amount,
  /** From the time of the sample to its arrival: the median, and the highest. */
  lag_p50_seconds: amount.nullable(),
  lag_highest_seconds: amount.nullable(),
  lag_unknown_reason: reason,
  /** null: no report ever arrived. */
  last_report_at: z.iso.datetime().nullable(),
  servers_reporting: count,
  /** Reported before, but not within three report intervals. */
  servers_silent: count,
  /** Enrolled, and never reported. */
  servers_installing: count,
  clusters_reporting: count,
  clusters_silent: count,
});

const rollups = z.object({
  levels: z.array(
    z.object({
      /** Width of a bucket. */
      bucket_seconds: amount,
      /** Buckets before this time are rolled up. */
      complete_to: z.iso.datetime().nullable(),
      /** Time since the oldest bucket that is not rolled up closed; 0: none is waiting. */
      behind_seconds: amount.nullable(),
      unknown_reason: reason,
    }),
  ),
  buckets_set_aside: z.array(z.object({ level: z.string(), buckets: count })),
});

const database = z.object({
  /** `embedded`: started by this API. `external`: given by DATABASE_URL. */
  location: z.enum(['embedded', 'external']),
  postgres_version: z.string(),
  size_bytes: amount,
  /** The largest, with indexes and all partitions. */
  largest_tables: z.array(z.object({ name: z.string(), size_bytes: amount })),
  /** Negative: it shrinks. */
  growth_bytes_per_day: z.number().nullable(),
  growth_unknown_reason: reason,
  /** The stored sizes that the growth is measured over. */
  growth_measured_from: z.iso.datetime().nullable(),
  /** Free space on the filesystem of the embedded database. */
  free_bytes: amount.nullable(),
  free_unknown_reason: reason,
  /** At this growth, until the database has used up the free space. */
  days_until_full: amount.nullable(),
  days_until_full_unknown_reason: reason,
});

/** The time-series store that gets every raw sample. */
const seriesStore = z.object({
  /** Samples of the reports that arrived before this time are in the store; null: nothing was sent yet. */
  shipped_to: z.iso.datetime().nullable(),
  behind_seconds: amount.nullable(),
  /** Hours before this time were compared with the store. */
  verified_to: z.iso.datetime().nullable(),
  /** Hours whose samples are missing in the store, or may be. */
  hours_incomplete: count,
  /** Deleted servers whose samples the store may still have. */
  deletions_waiting: count,
  /** Error of the last attempt to send; null: it succeeded. */
  last_error: z.string().nullable(),
  last_failure_at: z.iso.datetime().nullable(),
});

const job = z.object({
  name: z.string(),
  last_success_at: z.iso.datetime().nullable(),
  last_failure_at: z.iso.datetime().nullable(),
  /** Code of the last failure. Its text is in the log of the API. */
  last_error: z.string().nullable(),
  /** Running replicas whose last run of the job failed. */
  replicas_failing: count,
});

const replica = z.object({
  started_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  /** null: a version that did not store its number. */
  version: z.string().nullable(),
  /** Seen in the last 3 minutes; each replica writes its time once a minute. */
  is_running: z.boolean(),
});

const notifications = z.object({
  /** Over all accounts. */
  messages_waiting: count,
  /** A channel may hold messages through its quiet hours; null: none waits. */
  oldest_message_age_seconds: amount.nullable(),
  /** Time since the first of them was due; 0: none is due yet. */
  overdue_seconds: amount,
  channels_total: count,
  /** At most 100; those whose last message was not delivered come first. */
  channels: z.array(
    z.object({
      type: z.enum(CHANNEL_TYPES),
      /** null: the channel belongs to another organisation. */
      name: z.string().nullable(),
      messages_waiting: count,
      /** null: nothing was sent in the last 30 days. */
      last_outcome: z.enum(DELIVERY_OUTCOMES).nullable(),
      last_delivery_at: z.iso.datetime().nullable(),
    }),
  ),
});

const agents = z.object({
  kind: z.enum(AGENT_KINDS),
  /** null: not reported yet. */
  version: z.string().nullable(),
  agents: count,
  /** Older than the minor version of this API. */
  is_outdated: z.boolean(),
});

/** Answer of GET /api/health/installation: figures of the whole installation, over all accounts. Times are ISO 8601. */
export const installationHealthAnswer = z.object({
  as_of: z.iso.datetime(),
  /** Version of the API process that answers. */
  api_version: z.string(),
  findings: z.array(z.enum(HEALTH_FINDINGS)),
  ingest,
  rollups,
  /** null: no store is set up. */
  series_store: seriesStore.nullable().optional(),
  database,
  /** The replicas of the last 24 hours run them. The results of other replicas are up to one minute old. */
  jobs: z.array(job),
  /** Seen in the last 24 hours, the running ones first, at most 50. */
  replicas: z.array(replica),
  notifications,
  agents: z.array(agents),
});
export type InstallationHealth = z.infer<typeof installationHealthAnswer>;
export type HealthFinding = (typeof HEALTH_FINDINGS)[number];
