/** Numbers and enumerations of the Kubernetes side. No zod here: the browser imports this file. */

export const POD_PHASES = ['Running', 'Pending', 'Failed', 'Succeeded', 'Unknown'] as const;
export type PodPhase = (typeof POD_PHASES)[number];

export const CONTAINER_STATUSES = ['running', 'waiting', 'terminated'] as const;
export type ContainerStatus = (typeof CONTAINER_STATUSES)[number];

/** States of a change in place of a pod's requests or limits; the kubelet refuses for now (deferred) or for good. */
export const RESIZE_STATES = ['pending', 'in_progress', 'deferred', 'infeasible', 'error'] as const;
export type ResizeState = (typeof RESIZE_STATES)[number];

/** Kinds of objects a full listing can cover. */
export const LISTED_KINDS = ['nodes', 'pods', 'workloads', 'volumes'] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

/** Sources of a figure, best first. */
export const USAGE_SOURCES = ['node-agent', 'kubelet', 'metrics-server', 'prometheus'] as const;
export type UsageSource = (typeof USAGE_SOURCES)[number];

/**
 * Results of a reader: `absent` the API group is not served, `down` it is registered but answers 5xx, `forbidden` a
 * verb is missing, `unreachable` no answer, `off` not configured, `starting` not read yet, `incomplete` it is read, but
 * some of its objects or figures cannot be stored. Collectors never send `incomplete`: the API derives it.
 */
export const READER_STATES = [
  'ok',
  'starting',
  'absent',
  'down',
  'forbidden',
  'unreachable',
  'off',
  'incomplete',
] as const;
export type ReaderState = (typeof READER_STATES)[number];

export const NODE_AGENT_MODES = ['proc', 'kubelet', 'full'] as const;
export type NodeAgentMode = (typeof NODE_AGENT_MODES)[number];

export const POD_SORTS = [
  'name',
  'namespace',
  'node',
  'phase',
  'state',
  'cpu',
  'memory',
  'memory_percent',
  'restarts',
  'restarts_24h',
  'age',
] as const;
export type PodSort = (typeof POD_SORTS)[number];
export const NODE_SORTS = ['headroom', 'name', 'cpu', 'memory', 'disk', 'pods', 'age'] as const;
export type NodeSort = (typeof NODE_SORTS)[number];
export const OWNER_SORTS = ['name', 'namespace', 'pods', 'cpu', 'memory', 'restarts_24h'] as const;
export type OwnerSort = (typeof OWNER_SORTS)[number];
/** Pods are summed by what owns them, or by namespace alone. */
export const OWNER_GROUPINGS = ['owner', 'namespace'] as const;
export type OwnerGrouping = (typeof OWNER_GROUPINGS)[number];
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Upper ends of the pod age buckets in seconds; what is older falls into a last, open bucket. */
export const POD_AGE_BUCKETS = [3600, 86_400, 604_800, 2_592_000] as const;
export const TOP_RESTARTS = 5;
export const TOP_NAMESPACES = 6;
export const RECENT_NODES = 3;
/** Hours of the restart ranking. */
export const RESTART_WINDOW_HOURS = 24;
/** Ranges of the node history buttons. */
export const NODE_HISTORY_HOURS = [1, 6, 24, 72, 168] as const;

/** A latest usage older than this many report intervals is no longer shown as current. */
export const USAGE_FRESH_INTERVALS = 3;

/** A collector reports once a minute. After two missed reports it is silent: its figures are no longer those of now. */
export const COLLECTOR_SILENT_SECONDS = 120;

/**
 * State of a cluster's collector: `no_leader` its replicas run, but none can take the lease, so nobody reports; `silent`
 * nothing came from any of them.
 */
export const COLLECTOR_STATES = ['reporting', 'silent', 'no_leader'] as const;
export type CollectorState = (typeof COLLECTOR_STATES)[number];
/** Right of the cluster collector on its lease, in its own namespace. */
export const LEASE_NEEDS = 'get,create,update leases.coordination.k8s.io';

/** Length and step of the history that Prometheus provides from before the installation. */
export const HISTORY_DAYS = 7;
export const HISTORY_STEP_SECONDS = 300;

export const CLUSTER_LIMITS = {
  nameCharacters: 253,
  wireBytes: 1_048_576,
  inflatedBytes: 8_388_608,
  itemsPerRequest: 20,
  /** Pods the collector puts into one item: about 0.7 MB of JSON. */
  podsPerItem: 1000,
  nodesPerItem: 1000,
  workloadsPerItem: 2000,
  volumesPerItem: 2000,
  eventsPerItem: 1000,
  endsPerItem: 1000,
  jobsPerItem: 1000,
  placementsPerItem: 200,
  deletionsPerItem: 10_000,
  /** Entries of each list in a set of placement constraints, and bytes of the set as JSON. */
  placementParts: 64,
  placementBytes: 8192,
  /** Extended resources of a node, such as nvidia.com/gpu. */
  extendedResources: 32,
  containersPerPod: 100,
  labelsPerObject: 64,
  /** Node feature discovery and the operators of GPUs add more than a hundred. */
  labelsPerNode: 256,
  readers: 32,
  /** Pods of one node in a node report; the kubelet's own ceiling in large installs is 500. */
  podsPerNode: 1000,
  volumesPerNode: 2000,
  /** Five-minute buckets in one window of the past: a day. */
  historyBuckets: 288,
  /** Reasons for unknown fields that one object or one reader carries. */
  unknownFields: 20,
} as const;

/** The most that a figure of a cluster may be. A collector sends a larger one as unknown. */
export const FIGURE_LIMITS = {
  /** The scheduler of Kubernetes adds millicores in an int64; no node comes near a million cores. */
  cores: 1e6,
  /** Whole numbers that JSON carries exactly: 8 PiB − 1 byte. */
  bytes: Number.MAX_SAFE_INTEGER,
  int32: 2_147_483_647,
  bytesPerSecond: 1e15,
  epochSeconds: 1e11,
} as const;

/** Tail of a pod's log: lines, and bytes of them after redaction. A request is answered or given up within a minute. */
export const POD_LOG_LIMITS = {
  lines: 200,
  lineLength: 2048,
  bytes: 40_000,
  /** Read from the API server at most. */
  readBytes: 1_048_576,
  perResponse: 5,
  waiting: 20,
  giveUpSeconds: 60,
  /** A page that shows a tail requests it again after this time. */
  freshSeconds: 5,
  keptSeconds: 600,
} as const;

/** Reason of a pod that a scheduling gate holds on purpose, as Kueue does: it waits, and nothing is wrong with it. */
export const HELD_REASON = 'SchedulingGated';

/** Kinds of trouble that make a cluster Degraded where the health by phases says Healthy. */
export const DEGRADED_KINDS = ['crash_looping', 'image_pull', 'not_created', 'replicas_missing'] as const;
export type DegradedKind = (typeof DEGRADED_KINDS)[number];

/** The headroom of a cluster is of the share that its pods request of the nodes, or of the share that its nodes use. */
export const CLUSTER_SHARES = ['requested', 'used'] as const;
export type ClusterShare = (typeof CLUSTER_SHARES)[number];

/** Characters of a cluster's name. */
export const CLUSTER_NAME_LENGTH = 120;
