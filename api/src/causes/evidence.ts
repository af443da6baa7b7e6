/**
 * What was recorded around a moment. It survives JSON, so an incident can be explained again from its recording. Times are
 * epoch seconds, per cents 0–100, rates bytes per second. Null is unknown.
 */

export interface Point {
  at: number;
  value: number | null;
}

/** Names an object of a cluster. A node has no namespace. */
export interface ObjectRef {
  clusterId: string;
  namespace: string | null;
  kind: string;
  name: string;
}

export interface AlertSeen {
  id: string;
  metric: string;
  title: string;
  message: string;
  at: number;
  /** Server, mount point, unit or check. */
  subject: string;
  serverId: string | null;
  hostname: string | null;
  object: ObjectRef | null;
  /** It is no part of the incident: it fired beside it, in the same place. */
  isBeside?: boolean;
}

export interface CheckSeen {
  id: string;
  name: string;
  target: string;
  status: string;
  since: number | null;
  reason: string | null;
  serverId: string | null;
}

/** The present state of an object, as the ledger of changes stores it. */
export interface ObjectSeen extends ObjectRef {
  fields: Readonly<Record<string, string>>;
  /** Names of fields whose values stay in the cluster. */
  hidden: readonly string[];
}

export interface FieldSeen {
  field: string;
  was: 'set' | 'changed' | 'removed';
  before: string | null;
  after: string | null;
}
export interface ChangeSeen {
  id: string;
  at: number;
  source: string;
  action: string;
  kind: string;
  namespace: string | null;
  name: string;
  title: string;
  by: string | null;
  clusterId: string | null;
  serverId: string | null;
  hostname: string | null;
  fields: readonly FieldSeen[];
}

export interface ContainerSeen {
  name: string;
  image: string;
  isInit: boolean;
  status: string;
  ready: boolean;
  /** Why it waits, or ended. */
  reason: string | null;
  restarts: number;
  /** The last end. */
  end: { reason: string | null; message: string | null; exitCode: number | null; at: number | null } | null;
  cpuLimitCores: number | null;
  memoryLimitMb: number | null;
}
export interface PodSeen {
  clusterId: string;
  /** Absent: recorded before it was read. */
  uid?: string;
  namespace: string;
  name: string;
  ownerKind: string | null;
  ownerName: string | null;
  node: string | null;
  phase: string;
  reason: string | null;
  ready: boolean;
  deleting: boolean;
  createdAt: number;
  labels: Readonly<Record<string, string>>;
  claims: readonly string[];
  containers: readonly ContainerSeen[];
  restarts: readonly { at: number; reason: string | null; exitCode: number | null; memoryLimitMb: number | null }[];
  cpuCores: readonly Point[];
  memoryMb: readonly Point[];
}

export interface NodeSeen {
  clusterId: string;
  name: string;
  serverId: string | null;
  ready: boolean | null;
  isCordoned: boolean;
  taints: readonly string[];
  conditions: readonly { type: string; status: string; message: string | null; since: number | null }[];
  cores: number | null;
  cpu: readonly Point[];
  memory: readonly Point[];
}

export interface EventSeen extends ObjectRef {
  type: string;
  reason: string;
  message: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

export interface ClaimSeen {
  clusterId: string;
  namespace: string;
  name: string;
  phase: string;
  storageClass: string | null;
  usedPercent: number | null;
  reason: string | null;
}

export interface WorkloadSeen extends ObjectRef {
  desired: number | null;
  ready: number | null;
}

export interface LineSeen {
  at: number;
  kind: string;
  text: string;
  count: number;
  /** Unit, process, disk or interface. */
  subject: string | null;
  serverId: string | null;
  clusterId: string | null;
  namespace: string | null;
  pod: string | null;
}

export interface ProcessSeen {
  pid: number;
  name: string;
  /** The name of an interpreter says little. */
  command?: string;
  /** Per cent of one core. */
  cpuPercent: number;
  memoryBytes: number;
  /** 0: not known. */
  startedAt: number;
}

const SERIES = [
  'cpu',
  'memory',
  'disk',
  'io_wait',
  'iops',
  'swap',
  'load',
  'receive',
  'transmit',
  'connections',
  'time_wait',
  'close_wait',
  'syn_recv',
  'retransmits',
] as const;
export type SeriesName = (typeof SERIES)[number];
const WEEK_SERIES = ['cpu', 'memory', 'disk', 'receive', 'connections'] as const;
export type WeekName = (typeof WEEK_SERIES)[number];

/** A server around the moment. */
export interface ServerSeen {
  serverId: string;
  hostname: string;
  /** Metric of its alert; null: none, or a stretch of a chart. */
  metric: string | null;
  /** Mount point or unit of the alert. */
  subject: string | null;
  /** Moment of its alert. */
  at: number;
  cpuCores: number | null;
  memoryTotalBytes: number | null;
  /** 12 hours before the moment and a little after. Absent figures are empty. */
  series: Readonly<Record<SeriesName, readonly Point[]>>;
  /** Seven days up to the moment, a point an hour. */
  week: Readonly<Record<WeekName, readonly Point[]>>;
  /** Lists at the moment and well before it; empty when none was stored. */
  processes: readonly ProcessSeen[];
  processesBefore: readonly ProcessSeen[];
  events: readonly { type: string; name: string; message: string; at: number }[];
  /** Stretches without reports, and why. */
  gaps: readonly { from: number; to: number; reason: string; detail: string }[];
  /** As the last report has them. */
  filesystems: readonly { mount: string; usedPercent: number | null; inodesPercent: number | null }[];
  failedUnits: readonly string[];
  clockSkewSeconds: number | null;
  /** Limits of the kernel in the last report; absent: not read. */
  limits?: Readonly<
    Record<'conntrack' | 'openFiles' | 'ephemeralPorts', { used: number; max: number | null } | null>
  > & {
    clockSynchronized: boolean | null;
  };
  /** Names of other servers that went silent within minutes of this one. */
  silentTogether: readonly string[];
  /** Names of other servers that went silent in the two hours before. */
  othersDown: readonly string[];
}

export interface Evidence {
  /** Moment of the incident. */
  at: number;
  /** Time of the reading. */
  now: number;
  /** Alerts that the answer is about. */
  alerts: readonly AlertSeen[];
  checks: readonly CheckSeen[];
  objects: readonly ObjectSeen[];
  changes: readonly ChangeSeen[];
  pods: readonly PodSeen[];
  nodes: readonly NodeSeen[];
  workloads: readonly WorkloadSeen[];
  events: readonly EventSeen[];
  claims: readonly ClaimSeen[];
  lines: readonly LineSeen[];
  servers: readonly ServerSeen[];
  /** Sources that could not be read, each with its reason. */
  missing: readonly string[];
}

export const emptyEvidence = (at: number, now = at): Evidence => ({
  at,
  now,
  alerts: [],
  checks: [],
  objects: [],
  changes: [],
  pods: [],
  nodes: [],
  workloads: [],
  events: [],
  claims: [],
  lines: [],
  servers: [],
  missing: [],
});

const emptyOf = <N extends string>(names: readonly N[]): Record<N, Point[]> =>
  Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, Point[]>;
export const emptySeries = (): ServerSeen['series'] => emptyOf(SERIES);
export const emptyWeek = (): ServerSeen['week'] => emptyOf(WEEK_SERIES);
