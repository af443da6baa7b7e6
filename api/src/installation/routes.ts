import { installationHealthAnswer, type InstallationHealth } from '@plimsoll/contract/wire/installation-health';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { iso, isoOrNull, rounded } from '../http/units.ts';
import {
  describeInstallation,
  INGEST_WINDOW_MS,
  type DescribedInstallation,
  type InstallationDeps,
} from './describe-installation.ts';

const wholeOrNull = (value: number | null): number | null => (value === null ? null : Math.round(value));

function shapeIngest({ ingest }: DescribedInstallation): InstallationHealth['ingest'] {
  const minutes = INGEST_WINDOW_MS / 60_000;
  return {
    window_seconds: INGEST_WINDOW_MS / 1000,
    reports_accepted: ingest.reports,
    reports_per_minute: rounded(ingest.reports / minutes, 1) ?? 0,
    lag_p50_seconds: rounded(ingest.lagP50Seconds, 3),
    lag_highest_seconds: rounded(ingest.lagHighestSeconds, 3),
    lag_unknown_reason: ingest.reports > 0 ? null : `No report arrived in the last ${String(minutes)} minutes.`,
    last_report_at: isoOrNull(ingest.lastReportAt),
    servers_reporting: ingest.serversReporting,
    servers_silent: ingest.serversSilent,
    servers_installing: ingest.serversInstalling,
    clusters_reporting: ingest.clustersReporting,
    clusters_silent: ingest.clustersSilent,
  };
}

function shapeStore({ seriesStore }: DescribedInstallation): InstallationHealth['series_store'] {
  if (seriesStore === null) return null;
  const { state, behindSeconds } = seriesStore;
  return {
    shipped_to: isoOrNull(state && state.shippedTo),
    behind_seconds: wholeOrNull(behindSeconds),
    verified_to: isoOrNull(state && state.verifiedTo),
    hours_incomplete: state?.unverifiedHours ?? 0,
    deletions_waiting: state?.waitingDeletions ?? 0,
    last_error: state && state.error,
    last_failure_at: isoOrNull(state && state.failedAt),
  };
}

function shapeDatabase(described: DescribedInstallation): InstallationHealth['database'] {
  const { location, database, growth, free, full } = described;
  return {
    location,
    postgres_version: database.version,
    size_bytes: database.sizeBytes,
    largest_tables: database.largestTables.map(({ name, bytes }) => ({ name, size_bytes: bytes })),
    growth_bytes_per_day: wholeOrNull(growth.bytesPerDay),
    growth_unknown_reason: growth.reason,
    growth_measured_from: isoOrNull(growth.measuredFrom),
    free_bytes: free.bytes,
    free_unknown_reason: free.reason,
    days_until_full: rounded(full.days, 1),
    days_until_full_unknown_reason: full.reason,
  };
}

/** Converts to the names and units of the wire. */
export function shapeInstallation(described: DescribedInstallation): InstallationHealth {
  const { now, apiVersion, findings, rollups, bucketsSetAside, jobs, replicas, notifications, agents } = described;
  return {
    as_of: iso(now),
    api_version: apiVersion,
    findings,
    ingest: shapeIngest(described),
    rollups: {
      levels: rollups.map(({ bucketSeconds, completeTo, behindSeconds }) => ({
        bucket_seconds: bucketSeconds,
        complete_to: isoOrNull(completeTo),
        behind_seconds: wholeOrNull(behindSeconds),
        unknown_reason: completeTo === null ? 'The rollup job has not run yet.' : null,
      })),
      buckets_set_aside: [...bucketsSetAside].map(([level, buckets]) => ({ level, buckets })),
    },
    series_store: shapeStore(described),
    database: shapeDatabase(described),
    jobs: jobs.map(({ name, lastSuccessAt, lastFailureAt, lastErrorCode, replicasFailing }) => ({
      name,
      last_success_at: isoOrNull(lastSuccessAt),
      last_failure_at: isoOrNull(lastFailureAt),
      last_error: lastErrorCode,
      replicas_failing: replicasFailing,
    })),
    replicas: replicas.map(({ startedAt, lastSeenAt, version, isRunning }) => ({
      started_at: iso(startedAt),
      last_seen_at: iso(lastSeenAt),
      version,
      is_running: isRunning,
    })),
    notifications: {
      messages_waiting: notifications.waiting,
      oldest_message_age_seconds: wholeOrNull(notifications.oldestMessageAgeSeconds),
      overdue_seconds: Math.round(notifications.overdueSeconds),
      channels_total: notifications.total,
      channels: notifications.channels.map(({ type, name, waiting, lastOutcome, lastDeliveryAt }) => ({
        type,
        name,
        messages_waiting: waiting,
        last_outcome: lastOutcome,
        last_delivery_at: isoOrNull(lastDeliveryAt),
      })),
    },
    agents: agents.map(({ kind, version, agents: count, isOutdated }) => ({
      kind,
      version,
      agents: count,
      is_outdated: isOutdated,
    })),
  };
}

const installationDeps = (
  { storage, seriesStore, jobHealth, clock, config }: Deps,
  apiVersion: string,
): InstallationDeps => ({
  installation: storage.installation,
  outbox: storage.notify.outbox,
  setAside: storage.setAside,
  samples: seriesStore && storage.sampleOutbox,
  jobHealth,
  clock,
  apiVersion,
  isEmbedded: config.databaseUrl === null,
});

export const installationRoutes = (deps: Deps, apiVersion: string): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/health/installation',
      actor: 'user',
      role: 'admin',
      operator: true,
      summary: 'Returns the health of the whole installation to its operator',
      tag: 'Operations',
      answer: installationHealthAnswer,
    },
    async ({ actor }) => shapeInstallation(await describeInstallation(installationDeps(deps, apiVersion), actor.owner)),
  ),
];
