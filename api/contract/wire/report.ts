import { z } from 'zod';
import { CHECK_LIMITS } from '../rules/check-limits.ts';
import { checkResultPart } from './check-probes.ts';
import { nodePart } from './cluster-node.ts';
import { useOfLimit, poolPart, raidPart, updatesPart, powerPart, fanPart, drivePart, gpuPart } from './hardware.ts';
import { hostSection } from './described-object.ts';
import { HOST_SECTIONS } from '../rules/described-kinds.ts';
import { connectionCountsPart, connectionPart, possibleCounts } from './connection-part.ts';
import { containerPart, watchedProcessPart } from './container-part.ts';
import { EVENT_SEVERITIES, EVENT_TYPES, REPORT_LIMITS as L } from '../rules/limits.ts';
import { bounded, bytes, count, measured, MOST, percent, rate, uptime } from './number-bounds.ts';

/**
 * The body of POST /api/agent/v1/reports. Base units: bytes, seconds, per cent 0–100, operations per second.
 * Rates are means over `window_seconds`; null where the system has no figure (the reason is in `agent.sources`).
 * Unknown fields are dropped, so that a newer collector can speak to an older server.
 */
const text = z.string();
const share = measured(0, 100);
const rateOrNull = measured(0, MOST.rate);
const processCpu = measured(0, MOST.processCpuPercent);

export const cpuPart = z.object({
  /** Host CPU: per cent of all cores together; idle and IO wait are not busy. */
  percent: share,
  io_wait_percent: share,
  steal_percent: share,
  user_percent: share,
  system_percent: share,
  per_core_percent: z.array(share).max(L.cpus),
});

export const memoryPart = z.object({
  total_bytes: bytes,
  /** For programs: MemAvailable of Linux and what ZFS gives back, else estimated (rules/machines/memory.ts). */
  available_bytes: bytes,
  /** total − available − huge pages that nobody uses. */
  used_bytes: bytes,
  swap_total_bytes: bytes,
  swap_used_bytes: bytes,
});

export const filesystemPart = z.object({
  mount: text,
  device: text,
  type: text,
  size_bytes: bytes,
  used_bytes: bytes,
  /** Free for an unprivileged user; used ÷ (used + available) is what df shows as use %. */
  available_bytes: bytes,
  inodes_total: count.nullable(),
  inodes_used: count.nullable(),
  /** Device of the listed filesystem that holds this one, such as the pool of a dataset with a quota. Sums skip it. */
  part_of: text.optional(),
  /** True: mounted for writing, but the kernel refuses writes, as after an I/O error. Absent: no, or unknown. */
  became_read_only: z.boolean().optional(),
});

export const diskPart = z.object({
  device: text,
  read_operations_per_second: rateOrNull,
  write_operations_per_second: rateOrNull,
  read_bytes_per_second: rateOrNull,
  write_bytes_per_second: rateOrNull,
  /** Share of the window in which the device had at least one request in flight. */
  busy_percent: share,
});

export const interfacePart = z.object({
  name: text,
  receive_bytes_per_second: rateOrNull,
  transmit_bytes_per_second: rateOrNull,
  receive_errors_per_second: rateOrNull,
  transmit_errors_per_second: rateOrNull,
  receive_drops_per_second: rateOrNull,
  transmit_drops_per_second: rateOrNull,
  up: z.boolean().nullable(),
});

export const tcpPart = z.object({
  /** Segments sent again, over all connections of the host. */
  retransmits_per_second: rateOrNull,
});

export const systemPart = z.object({
  hostname: text,
  /** "linux" or "darwin". */
  platform: text,
  /** ID of os-release, or "macos". */
  os_type: text,
  os_name: text,
  os_version: text,
  kernel: text,
  /** "amd64" or "arm64"; other machines by the name the kernel gives. */
  architecture: text,
  cpu_model: text.nullable(),
  cpu_cores: count.max(MOST.cpus),
  /** Null: the agent does not send it. */
  uptime_seconds: uptime.nullable(),
  region: text.nullable(),
  collector_version: text,
  virtualization: text.nullable(),
});

export const processPart = z.object({
  pid: count,
  name: text,
  command: text,
  user: text,
  status: z.string().max(1),
  /** Per cent of one core over the window. */
  cpu_percent: processCpu,
  memory_percent: share,
  memory_bytes: bytes,
  threads: count.nullable(),
  /** Epoch seconds. */
  started_at: z.number().nonnegative(),
});
type Entry = z.output<typeof processPart>;
/** Returns false for an entry that no system can have. Only this entry is dropped, not the report. */
const isPossible = ({ pid, threads, started_at }: Entry): boolean =>
  pid <= MOST.pid && (threads ?? 0) <= MOST.threads && started_at <= MOST.epochSeconds;

export const eventPart = z.object({
  /** Stable id within the stream, for deduplication. */
  id: z.string().max(64),
  event_type: z.enum(EVENT_TYPES),
  service_name: text.nullable(),
  process_name: text.nullable(),
  message: text,
  severity: z.enum(EVENT_SEVERITIES),
  /** Epoch seconds. */
  ts: z.number().nonnegative(),
});

/** Averages of the last 10 s, minute and 5 minutes; null: the agent does not send it. */
const pressureLine = z.object({
  avg10: percent.nullable(),
  avg60: percent.nullable(),
  avg300: percent.nullable(),
  total_seconds: bounded(MOST.exact),
});
export const pressurePart = z.object({
  cpu: z.object({ some: pressureLine }).nullable(),
  memory: z.object({ some: pressureLine, full: pressureLine }).nullable(),
  io: z.object({ some: pressureLine, full: pressureLine }).nullable(),
});

export const loadPart = z.object({ one: rate, five: rate, fifteen: rate });
export const temperaturePart = z.object({
  chip: text,
  label: text,
  celsius: z.number().min(-273.15).max(MOST.celsius),
  critical_celsius: measured(-273.15, MOST.celsius),
});
export const unitPart = z.object({ name: text, state: text, sub_state: text.nullable(), restarts: count.nullable() });

export const sourceHealth = z.object({
  ok: z.boolean(),
  duration_ms: bounded(MOST.exact),
  /** Why the part is missing or thinner than it could be; the text is for a person. */
  error: text.nullable(),
});

export const agentPart = z.object({
  version: text,
  /** Null: the agent has no spool that it reports. */
  spool_bytes: count.nullable(),
  spool_oldest_age_seconds: measured(0, MOST.uptimeSeconds),
  /** Requests that had to be tried again since the process started. */
  retries: count,
  last_error: text.nullable(),
  clock_skew_seconds: measured(-MOST.epochSeconds, MOST.epochSeconds),
  sources: z.record(z.string().max(32), sourceHealth),
});

export const reportItem = z.object({
  seq: z.int().positive(),
  /** Wall clock of the host, epoch seconds. */
  ts: z.number(),
  /** Seconds since boot including suspend, at the same moment. */
  up: z.number().nonnegative(),
  /** Boot id of the reading; omitted if it equals that of the request. It identifies the clock of `up`. */
  boot_id: z.string().min(1).max(64).optional(),
  kind: z.literal('host'),
  /** Length of the window the rates are means of; null in the first report after a start. */
  window_seconds: z.number().positive().nullable(),
  cpu: cpuPart.optional(),
  memory: memoryPart.optional(),
  filesystems: z.array(filesystemPart).max(L.filesystems).optional(),
  disks: z.array(diskPart).max(L.disks).optional(),
  interfaces: z.array(interfacePart).max(L.interfaces).optional(),
  tcp: tcpPart.optional(),
  system: systemPart.optional(),
  processes: z
    .array(processPart)
    .max(L.processes)
    .transform((entries) => entries.filter(isPossible))
    .optional(),
  connections: z.array(connectionPart).max(L.connections).optional(),
  connection_counts: connectionCountsPart.optional().transform(possibleCounts).optional(),
  events: z
    .array(eventPart)
    .max(L.events)
    .transform((events) => events.filter(({ ts }) => ts <= MOST.epochSeconds))
    .optional(),
  pressure: pressurePart.optional(),
  load: loadPart.optional(),
  /** Connections that the kernel tracks for its firewall. Absent, as the three below, where the agent does not read it. */
  conntrack: useOfLimit.optional(),
  /** Open files of the whole machine. */
  open_files: useOfLimit.optional(),
  /** Local ports of outgoing TCP connections, of the range that the kernel gives them. */
  ephemeral_ports: useOfLimit.optional(),
  /** False: nothing corrects the clock of the kernel. */
  clock_synchronized: z.boolean().optional(),
  temperatures: z.array(temperaturePart).max(L.temperatures).optional(),
  containers: z.array(containerPart).max(L.containers).optional(),
  units: z.array(unitPart).max(L.units).optional(),
  /** The parts below are absent where the machine has none, or its agent does not read them. */
  raid: z.array(raidPart).max(L.raid).optional(),
  pools: z.array(poolPart).max(L.pools).optional(),
  updates: updatesPart.optional(),
  gpus: z.array(gpuPart).max(L.gpus).optional(),
  drives: z.array(drivePart).max(L.drives).optional(),
  fans: z.array(fanPart).max(L.fans).optional(),
  power: z.array(powerPart).max(L.power).optional(),
  /** Absent: the setting `watched_processes` is empty. */
  watched_processes: z.array(watchedProcessPart).max(L.watchedProcesses).optional(),
  /** Kills of the kernel for lack of memory since the report before. Absent: none, or the kernel does not count them. */
  oom_kills: count.max(MOST.int32).optional(),
  /** Sections of the described state that changed, and all of them after a start of the collector. */
  described: z.array(hostSection).max(HOST_SECTIONS.length).optional(),
  /** Results of checks since the report before. Absent: the host's owner did not opt in, or none ran. */
  check_results: z.array(checkResultPart).max(CHECK_LIMITS.resultsPerReport).optional(),
  agent: agentPart.optional(),
  /** Only a node agent sends it. */
  kubernetes: nodePart.optional(),
});

export const droppedRange = z.object({
  from: z.int().positive(),
  to: z.int().positive(),
  n: z.int().positive(),
  /** "spool_full", "spool_damaged", "rejected:CODE", "thinned". */
  why: z.string().max(64),
});

/** Head of a request. The items stay unknown here: each is judged on its own, one bad item never fails its batch. */
export const reportEnvelope = z.object({
  v: z.int(),
  server_id: z.uuid(),
  /** 128 random bits in hex, born with the spool. */
  stream_id: z.string().regex(/^[0-9a-f]{32}$/),
  boot_id: z.string().min(1).max(64),
  sent_at: z.number(),
  up_now: z.number().nonnegative(),
  dropped: z.array(droppedRange).max(L.droppedRanges).default([]),
  reports: z.array(z.unknown()).max(L.reportsPerRequest),
});

export const reportAnswer = z.object({
  /** `upto`: every seq ≤ upto of this stream is settled; `also`: settled seqs above it. */
  ack: z.object({ upto: count, also: z.array(z.int().positive()) }),
  /** Final: the collector drops the item and counts it as dropped. seq is null when the item carried none. */
  rejected: z.array(z.object({ seq: z.int().nullable(), index: count, code: z.string(), detail: z.string() })),
  server_time: z.number(),
  next: z.object({ interval: z.number().positive(), delay: z.number().nonnegative() }),
  /**
   * Changes with the checks of the organisation. A collector whose owner opted in to checks then requests its configuration;
   * any other ignores it. 0: there are no checks.
   */
  config_rev: count,
  new_token: z.string().optional(),
  /** Names of other servers with the machine id of this one. Absent: there are none, or it enrolled without a boot id. */
  shares_machine_id_with: z.array(z.string()).optional(),
});

export const byeRequest = z.object({ reason: z.enum(['uninstall', 'restart', 'stop']) });

export type Report = z.infer<typeof reportItem>;
export type ReportEnvelope = Omit<z.infer<typeof reportEnvelope>, 'reports'> & { reports: Report[] };
export type ReportAnswer = z.infer<typeof reportAnswer>;
export type DroppedRange = z.infer<typeof droppedRange>;
export type CpuPart = z.infer<typeof cpuPart>;
export type MemoryPart = z.infer<typeof memoryPart>;
export type FilesystemPart = z.infer<typeof filesystemPart>;
export type DiskPart = z.infer<typeof diskPart>;
export type InterfacePart = z.infer<typeof interfacePart>;
export type TcpPart = z.infer<typeof tcpPart>;
export type SystemPart = z.infer<typeof systemPart>;
export type ProcessPart = z.infer<typeof processPart>;
export type EventPart = z.infer<typeof eventPart>;
export type PressurePart = z.infer<typeof pressurePart>;
export type LoadPart = z.infer<typeof loadPart>;
export type TemperaturePart = z.infer<typeof temperaturePart>;
export type UnitPart = z.infer<typeof unitPart>;
export type AgentPart = z.infer<typeof agentPart>;
export type SourceHealth = z.infer<typeof sourceHealth>;
