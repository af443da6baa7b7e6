import { z } from 'zod';
import { FORECAST_CONFIDENCES, NO_FORECAST_REASONS } from '../rules/host-metrics/disk-forecast.ts';
import { RESOURCES, SERVER_STATUSES } from '../rules/limits.ts';
import { useOfLimit, poolPart, raidPart, updatesPart, powerPart, fanPart, drivePart, gpuPart } from './hardware.ts';
import { containerPart } from './container-part.ts';
import {
  diskPart,
  filesystemPart,
  interfacePart,
  loadPart,
  pressurePart,
  sourceHealth,
  temperaturePart,
  unitPart,
} from './report.ts';

const line = z.object({ warning: z.number(), critical: z.number().nullable() });
/** The load line of each resource on this server: the thresholds of the rule that applies to it. */
export const loadLines = z.object({ cpu: line, memory: line, disk: line, io_wait: line });
/** Distance in points of the resource nearest its line; negative means over. */
export const headroom = z.object({
  resource: z.enum(RESOURCES),
  points: z.number(),
  value: z.number(),
  line: z.number(),
  /** Mount point when the resource is a disk. */
  subject: z.string().nullable(),
});

/** When a filesystem reaches its load line if it grows on as it did; `reaches_at` null: no forecast, for `reason`. */
export const diskForecast = z.object({
  mount: z.string(),
  /** The line in force for this filesystem, per cent. */
  line: z.number(),
  reaches_at: z.iso.datetime().nullable(),
  growth_bytes_per_day: z.number().nullable(),
  confidence: z.enum(FORECAST_CONFIDENCES).nullable(),
  /** Length of the history behind the forecast. */
  based_on_hours: z.number().nullable(),
  reason: z.enum(NO_FORECAST_REASONS).nullable(),
  /** Time of the newest stored use. */
  as_of: z.iso.datetime(),
});

/** Why the reports of a server with the status `refused` are not stored. */
export const refusal = z.object({
  /** Time of the first refused report since the last stored one. */
  since: z.iso.datetime(),
  last_at: z.iso.datetime(),
  code: z.string(),
  /** "field: problem". */
  detail: z.string(),
  /** Time of the newest stored report; null: there is none. */
  last_stored_at: z.iso.datetime().nullable(),
});

/** GB is 2^30 bytes. */
export const server = z.object({
  id: z.uuid(),
  hostname: z.string(),
  display_name: z.string().nullable(),
  status: z.enum(SERVER_STATUSES),
  platform: z.string().nullable(),
  os_type: z.string().nullable(),
  os_version: z.string().nullable(),
  os_name: z.string().nullable(),
  kernel: z.string().nullable(),
  architecture: z.string().nullable(),
  region: z.string().nullable(),
  cpu_cores: z.int().nullable(),
  cpu_model: z.string().nullable(),
  total_memory: z.number().nullable(),
  total_storage: z.number().nullable(),
  cli_version: z.string().nullable(),
  uptime_seconds: z.number().nullable(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime().nullable(),
  /** Null unless `status` is `refused`. */
  refusal: refusal.nullable(),
  report_interval_seconds: z.number(),
  is_kubernetes_node: z.boolean(),
  tags: z.record(z.string(), z.string()),
  lines: loadLines,
  headroom: headroom.nullable(),
  /** The filesystem that fills first; null until the first history of the server, which takes half an hour at most. */
  disk_forecast: diskForecast.nullable(),
});

/** Hardware of the last report. A part is null where the machine has none, or nothing reads it; `sources` has the reason. */
export const hardware = z.object({
  raid: z.array(raidPart).nullable(),
  pools: z.array(poolPart).nullable(),
  updates: updatesPart.nullable(),
  gpus: z.array(gpuPart).nullable(),
  drives: z.array(drivePart).nullable(),
  fans: z.array(fanPart).nullable(),
  power: z.array(powerPart).nullable(),
});

/** Use of the kernel's limits in the last report. A part is null where the agent does not report it; `sources` has the reason. */
export const kernelLimits = z.object({
  conntrack: useOfLimit.nullable(),
  open_files: useOfLimit.nullable(),
  ephemeral_ports: useOfLimit.nullable(),
  clock_synchronized: z.boolean().nullable(),
});

/** Parts of the last report that only the server detail contains. Units as in the report. */
export const serverDetail = server.extend({
  /** Kind of container or hypervisor, such as "lxc" or "kvm"; null where the agent found none, or sends nothing of it. */
  virtualization: z.string().nullable().optional(),
  per_core_percent: z.array(z.number().nullable()),
  filesystems: z.array(filesystemPart),
  disk_forecasts: z.array(diskForecast),
  disks: z.array(diskPart),
  interfaces: z.array(interfacePart),
  /** These five are null when the report has none; `sources` says why where a reader failed. */
  load: loadPart.nullable(),
  /** GB; 0 is a host without swap. */
  total_swap: z.number().nullable().optional(),
  pressure: pressurePart.nullable(),
  temperatures: z.array(temperaturePart).nullable(),
  containers: z.array(containerPart).nullable(),
  units: z.array(unitPart).nullable(),
  hardware: hardware.optional(),
  kernel_limits: kernelLimits.optional(),
  sources: z.record(z.string(), sourceHealth),
  /** Signs that more than one machine is this server. */
  identity: z.object({
    /** The other installed servers with the same machine id. */
    shares_machine_id_with: z.array(z.object({ id: z.uuid(), name: z.string() })),
    /** Time of the last report of a collector with a revoked token of this server; null: none in the last 24 hours. */
    former_token_used_at: z.iso.datetime().nullable(),
  }),
  agent: z
    .object({
      spool_bytes: z.number().nullable(),
      spool_oldest_age_seconds: z.number().nullable(),
      clock_skew_seconds: z.number().nullable(),
      last_error: z.string().nullable(),
    })
    .nullable(),
});

/** Counts and averages over all servers that match, whatever the page. */
export const serversSummary = z.object({
  total: z.int(),
  online: z.int(),
  offline: z.int(),
  /** They send reports, and the API refuses them. */
  refused: z.int(),
  installing: z.int(),
  uninstalled: z.int(),
  kubernetes_nodes: z.int(),
  /** Online ÷ total in per cent; null when there are none. */
  uptime_percent: z.number().nullable(),
  total_cpu_cores: z.int(),
  total_memory_gb: z.number(),
  total_storage_gb: z.number(),
  avg_iops: z.number().nullable(),
  avg_io_wait: z.number().nullable(),
  avg_cpu: z.number().nullable(),
  avg_memory: z.number().nullable(),
  avg_disk: z.number().nullable(),
  used_memory_gb: z.number().nullable(),
  used_storage_gb: z.number().nullable(),
  busy_cores: z.number().nullable(),
  /** Online servers that each figure is of. Fewer than `online`: the others did not report it, or it is not stored. */
  servers_with: z.object({
    iops: z.int(),
    io_wait: z.int(),
    cpu: z.int(),
    memory: z.int(),
    disk: z.int(),
    used_memory: z.int(),
    used_storage: z.int(),
  }),
  over_line: z.int(),
  near_line: z.int(),
  clear: z.int(),
  peak_iops: z.object({ value: z.number(), server_id: z.uuid(), hostname: z.string() }).nullable(),
  /** The filesystem of an online server that reaches its line first; null when none has a forecast. */
  next_to_fill: z
    .object({ server_id: z.uuid(), hostname: z.string(), mount: z.string(), reaches_at: z.iso.datetime() })
    .nullable(),
  /** Age of the newest report of any server. */
  newest_report_age_seconds: z.number().nullable(),
});
/** Every server with its nearest resource, least headroom first: the fleet strip (up to 1,000). */
export const fleetEntry = z.object({
  server_id: z.uuid(),
  hostname: z.string(),
  status: z.enum(SERVER_STATUSES),
  headroom: headroom.nullable(),
  /** Region and tags group the cells of a large fleet. */
  region: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
});
export const serversAnswer = z.object({
  servers: z.array(server),
  total: z.int(),
  summary: serversSummary,
  fleet: z.array(fleetEntry),
});
export const serverAnswer = z.object({ server: serverDetail });
/** PUT /api/servers/{id}. What is left out stays; `tags` replaces all of them; `display_name` null: the hostname again. */
export const updateServerRequest = z.strictObject({
  display_name: z.string().trim().min(1).max(120).nullable().optional(),
  tags: z
    .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/), z.string().max(256))
    .refine((tags) => Object.keys(tags).length <= 50, 'at most 50 tags')
    .optional(),
});
export const deleteServerRequest = z.object({ server_id: z.uuid() });

export type UpdateServerRequest = z.infer<typeof updateServerRequest>;
export type Server = z.infer<typeof server>;
export type ServerDetail = z.infer<typeof serverDetail>;
export type ServersSummary = z.infer<typeof serversSummary>;
export type ServersAnswer = z.infer<typeof serversAnswer>;
export type ServerAnswer = z.infer<typeof serverAnswer>;
export type KernelLimits = z.infer<typeof kernelLimits>;
export type Hardware = z.infer<typeof hardware>;
export type Headroom = z.infer<typeof headroom>;
export type DiskForecast = z.infer<typeof diskForecast>;
export type LoadLines = z.infer<typeof loadLines>;
export type FleetEntry = z.infer<typeof fleetEntry>;
