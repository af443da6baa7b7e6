import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { MountForecast } from '../disk-forecasts.ts';
import type { DiskForecast, FleetEntry, Server, ServerDetail, ServersSummary } from '@plimsoll/contract/wire/servers';
import { nameOf, type FleetServer, type FleetSummary } from '../fleet.ts';
import type { DoubtfulIdentity, HostDetails } from '../types.ts';
import { gigabytes, iso, isoOrNull, rounded } from '../../http/units.ts';

const roundedHeadroom = ({ headroom }: FleetServer): Server['headroom'] =>
  headroom && { ...headroom, points: rounded(headroom.points) ?? 0, value: rounded(headroom.value) ?? 0 };

export function shapeServer(entry: FleetServer): Server {
  const { server, status, lines } = entry;
  const { system } = server;
  return {
    id: server.id,
    hostname: server.hostname,
    display_name: server.displayName,
    status,
    platform: system?.platform ?? null,
    os_type: system?.os_type ?? null,
    os_version: system?.os_version ?? null,
    os_name: system?.os_name ?? null,
    kernel: system?.kernel ?? null,
    architecture: system?.architecture ?? null,
    region: system?.region ?? null,
    cpu_cores: system?.cpu_cores ?? null,
    cpu_model: system?.cpu_model ?? null,
    total_memory: gigabytes(server.memoryTotalBytes),
    total_storage: gigabytes(server.storageTotalBytes),
    cli_version: system?.collector_version ?? null,
    uptime_seconds: system?.uptime_seconds ?? null,
    created_at: iso(server.createdAt),
    last_seen_at: isoOrNull(server.lastSeenAt),
    refusal: status === 'refused' ? shapeRefusal(entry) : null,
    report_interval_seconds: server.reportIntervalSeconds,
    is_kubernetes_node: server.isKubernetesNode,
    tags: server.tags,
    lines,
    headroom: roundedHeadroom(entry),
    disk_forecast: entry.forecasts[0] === undefined ? null : shapeForecast(entry.forecasts[0]),
  };
}

const shapeRefusal = ({ server: { refusal }, latest: { sample } }: FleetServer): Server['refusal'] =>
  refusal && {
    since: iso(refusal.since),
    last_at: iso(refusal.lastAt),
    code: refusal.code,
    detail: refusal.detail,
    last_stored_at: isoOrNull(sample?.sampleAt ?? null),
  };

function shapeForecast({ mount, at, linePercent, forecast }: MountForecast): DiskForecast {
  const place = { mount, line: linePercent, as_of: iso(at) };
  if (forecast.kind === 'none')
    return {
      ...place,
      reaches_at: null,
      growth_bytes_per_day: null,
      confidence: null,
      based_on_hours: null,
      reason: forecast.reason,
    };
  return {
    ...place,
    reaches_at: iso(forecast.reachesAt),
    growth_bytes_per_day: Math.round(forecast.bytesPerDay),
    confidence: forecast.confidence,
    based_on_hours: rounded(forecast.basedOnMs / HOUR_MS, 1),
    reason: null,
  };
}

const shapeDetails = ({
  load,
  pressure,
  temperatures,
  containers,
  units,
  swap_total_bytes,
  ...details
}: HostDetails) => ({
  total_swap: gigabytes(swap_total_bytes),
  load: load ?? null,
  pressure: pressure ?? null,
  temperatures: temperatures ?? null,
  containers: containers ?? null,
  units: units ?? null,
  hardware: {
    raid: details.raid ?? null,
    pools: details.pools ?? null,
    updates: details.updates ?? null,
    gpus: details.gpus ?? null,
    drives: details.drives ?? null,
    fans: details.fans ?? null,
    power: details.power ?? null,
  },
  kernel_limits: {
    conntrack: details.conntrack ?? null,
    open_files: details.open_files ?? null,
    ephemeral_ports: details.ephemeral_ports ?? null,
    clock_synchronized: details.clock_synchronized ?? null,
  },
});

export function shapeServerDetail(entry: FleetServer, identity: DoubtfulIdentity): ServerDetail {
  const { latest } = entry;
  return {
    ...shapeServer(entry),
    virtualization: entry.server.system?.virtualization ?? null,
    per_core_percent: latest.perCorePercent,
    filesystems: latest.filesystems,
    disks: latest.disks,
    interfaces: latest.interfaces,
    disk_forecasts: entry.forecasts.map(shapeForecast),
    ...shapeDetails(latest.inside),
    sources: latest.sources,
    identity: {
      shares_machine_id_with: identity.sharesWith,
      former_token_used_at: isoOrNull(identity.formerTokenAt),
    },
    agent: latest.agent && {
      spool_bytes: latest.agent.spool_bytes,
      spool_oldest_age_seconds: latest.agent.spool_oldest_age_seconds,
      clock_skew_seconds: latest.agent.clock_skew_seconds,
      last_error: latest.agent.last_error,
    },
  };
}

export const shapeFleetEntry = (entry: FleetServer): FleetEntry => ({
  server_id: entry.server.id,
  hostname: nameOf(entry.server),
  status: entry.status,
  headroom: roundedHeadroom(entry),
  region: entry.server.system?.region ?? null,
  tags: entry.server.tags,
});

export function shapeSummary(summary: FleetSummary, now: number): ServersSummary {
  const { counts, averages, bands, serversWith, peakOperations: peak, nextToFill: next } = summary;
  return {
    total: counts.total,
    online: counts.active,
    offline: counts.offline,
    refused: counts.refused,
    installing: counts.installing,
    uninstalled: counts.uninstalled,
    kubernetes_nodes: counts.kubernetesNodes,
    uptime_percent: rounded(summary.uptimePercent),
    total_cpu_cores: summary.cpuCores,
    total_memory_gb: gigabytes(summary.memoryBytes) ?? 0,
    total_storage_gb: gigabytes(summary.storageBytes) ?? 0,
    avg_iops: rounded(averages.operationsPerSecond),
    avg_io_wait: rounded(averages.ioWaitPercent),
    avg_cpu: rounded(averages.cpuPercent),
    avg_memory: rounded(averages.memoryPercent),
    avg_disk: rounded(averages.diskPercent),
    used_memory_gb: gigabytes(summary.usedMemoryBytes),
    used_storage_gb: gigabytes(summary.usedStorageBytes),
    busy_cores: rounded(summary.busyCores),
    servers_with: {
      iops: serversWith.operationsPerSecond,
      io_wait: serversWith.ioWaitPercent,
      cpu: serversWith.cpuPercent,
      memory: serversWith.memoryPercent,
      disk: serversWith.diskPercent,
      used_memory: serversWith.usedMemory,
      used_storage: serversWith.usedStorage,
    },
    over_line: bands.over,
    near_line: bands.near,
    clear: bands.ok,
    peak_iops: peak && { value: rounded(peak.value) ?? 0, server_id: peak.server.id, hostname: nameOf(peak.server) },
    next_to_fill: next && {
      server_id: next.server.id,
      hostname: nameOf(next.server),
      mount: next.mount,
      reaches_at: iso(next.reachesAt),
    },
    newest_report_age_seconds:
      summary.newestReportAt === null ? null : Math.max(0, (now - summary.newestReportAt) / 1000),
  };
}
