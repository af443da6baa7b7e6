import { HOST_LINE_KINDS } from './lines.ts';

/** Numbers and enumerations both sides of the wire agree on. No zod here: the browser imports this file. */

export const PROTOCOL_VERSION = 1;
/** The server speaks its own version and the one before it. */
export const PROTOCOL_VERSIONS_SPOKEN: readonly number[] = [PROTOCOL_VERSION];

/** Seconds between two reports of a host. */
export const REPORT_INTERVAL_SECONDS = 60;
/** A server is offline after this many intervals without a report. */
export const OFFLINE_AFTER_INTERVALS = 3;
/** Samples older than this at arrival are backfill: history and rollups only, never a notification. */
export const LATE_SAMPLE_SECONDS = 300;

export const REPORT_LIMITS = {
  wireBytes: 1_048_576,
  inflatedBytes: 8_388_608,
  reportsPerRequest: 120,
  /** Limits of one request of the collector. */
  reportsPerBatch: 60,
  depth: 8,
  stringBytes: 512,
  processes: 200,
  connections: 200,
  events: 500,
  filesystems: 200,
  interfaces: 200,
  disks: 200,
  cpus: 4096,
  sources: 64,
  containers: 200,
  watchedProcesses: 50,
  units: 500,
  temperatures: 100,
  raid: 100,
  pools: 100,
  gpus: 100,
  /** Processes that a GPU lists. */
  processesOfGpu: 10,
  drives: 200,
  fans: 100,
  power: 50,
  droppedRanges: 1000,
  answerBytes: 65_536,
} as const;

/** Requests of Prometheus, vmagent and OpenTelemetry collectors that send metrics of hosts. */
export const EXTERNAL_METRICS_LIMITS = {
  wireBytes: 4_194_304,
  inflatedBytes: 16_777_216,
  samplesPerRequest: 100_000,
  /** Distinct texts of a request of remote write 2.0: three for each sample. */
  symbolsPerRequest: 300_000,
  labelCharacters: 256,
  serversPerRequest: 2000,
  /** Pairs of a server and an interval. Prometheus sends 2,000 samples in one request, of one scrape each. */
  readingsPerRequest: 5000,
  /** Characters of all figures of a request as they are stored. */
  figureCharactersPerRequest: 16_777_216,
  /** The same of one server and interval; of several requests together. */
  figureCharactersPerReading: 1_048_576,
  figureCharactersPerInterval: 4_194_304,
  /** Values of one figure with labels, such as the devices of a server times what is measured of each. */
  valuesPerFigure: 5000,
  /** Servers of one account, so that labels that change do not make servers without end. */
  serversPerAccount: 5000,
} as const;

/** Bytes of a JSON body sent by a user's browser or script. */
export const USER_JSON_BYTES = 65_536;

/** Newest and oldest time a sample may carry, relative to the server's clock, in seconds. */
export const SAMPLE_TIME_BOUNDS = { future: 300, past: 26 * 3600 } as const;

export const PAGE_LIMITS = { servers: 100, pods: 1000, other: 100, max: 1000 } as const;
/** Longest range of a request, in hours: a year, as long as hourly rollups are kept. */
export const MAX_HOURS = 8760;
export const DEFAULT_HOURS = 24;
/** Default maximum of buckets in a time series; a request can raise it to 1,000. */
export const SERIES_BUCKETS = { default: 400, max: 1000 } as const;

/** Roles in an organisation. Each may do what the ones before it may: viewers read, editors change, admins delete. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];
/** `open`: links of an organisation that nobody has used yet. Days until a link ends. */
export const INVITATIONS = { open: 50, days: { default: 7, max: 30 } } as const;
/** Ids in one call that ends what a member made. */
export const ACCESS_CHOICES = 1000;
export const ORGANISATION_NAME_CHARACTERS = 120;

export const SERVER_STATUSES = ['active', 'installing', 'uninstalled', 'offline', 'refused'] as const;
export type ServerStatus = (typeof SERVER_STATUSES)[number];

/** The resources that have a load line. */
export const RESOURCES = ['cpu', 'memory', 'disk', 'io_wait'] as const;
export type Resource = (typeof RESOURCES)[number];
/** Small charts of one answer, and their buckets: half-hours of a day unless asked otherwise. */
export const SPARK_LIMITS = { servers: 50, buckets: { default: 48, min: 10, max: 100 } } as const;
export const SERVER_SORTS = ['headroom', 'name', 'last_seen'] as const;
export type ServerSort = (typeof SERVER_SORTS)[number];

export const ALERT_LEVELS = ['critical', 'error', 'warning', 'info'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

export const ALERT_STATUSES = ['active', 'resolved', 'unknown'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

export const EVENT_TYPES = [
  'service_start',
  'service_stop',
  'service_restart',
  'process_start',
  'process_stop',
  'process_crash',
  'config_change',
  'update_installed',
  'system_monitoring',
  /** The host is back from a suspension: its time was counted by the clock since boot, not by its processors. */
  'system_resume',
  /** Lines of the logs of a host: rules/lines.ts. */
  ...HOST_LINE_KINDS,
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
/** Come first in a list that sets `leading`: an operator looks for these first after an incident. */
export const LEADING_EVENT_TYPES = [
  'process_crash',
  'update_installed',
  'config_change',
] as const satisfies readonly EventType[];
/** Limits the leading events of a list without a beginning to the last hours. */
export const LEADING_EVENT_HOURS = 24;

export const EVENT_SEVERITIES = ['info', 'warning', 'error', 'critical'] as const;
export type EventSeverity = (typeof EVENT_SEVERITIES)[number];

/** Single letter of /proc/PID/stat and what the spec calls it. */
export const PROCESS_STATUSES = {
  R: 'Running',
  S: 'Sleeping',
  D: 'Disk Sleep',
  Z: 'Zombie',
  T: 'Stopped',
  I: 'Idle',
  W: 'Waiting',
  X: 'Dead',
} as const;

export const CONNECTION_STATES = ['ESTABLISHED', 'LISTEN', 'TIME_WAIT', 'CLOSE_WAIT', 'SYN_SENT', 'SYN_RECV'] as const;

/** Why a stretch of samples is missing, as the server explains it. */
export const GAP_REASONS = [
  'host_off',
  'rebooted',
  'agent_stopped',
  'suspended',
  'link_lost',
  'server_down',
  'dropped',
  'unexplained',
  /** Still going on, cause not known yet: the next report tells. */
  'silent',
] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** Why the time-series store does not answer the samples of an hour. */
export const UNAVAILABLE_REASONS = [
  /** The store gives no answer in time, or an error. */
  'store_unavailable',
  /** The store may lack samples, which are sent again. */
  'not_verified',
  /** The store does not take samples of this hour. */
  'refused',
  /** The store lacks samples, and PostgreSQL has them no longer. */
  'lost',
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** Stored process lists of a server: the top of the list at a fixed interval. */
export const PROCESS_HISTORY = {
  stepSeconds: 900,
  entries: 20,
  days: 14,
  /** One stored row holds this much of a server. It divides a day, so a row lies in one partition. */
  blockSeconds: 21_600,
  /** An older list says nothing of a moment: one that was due in between is missing. */
  reachSeconds: 1800,
} as const;

/** Stored process lists of every minute: the greediest by CPU and by memory. A block is what one stored row holds. */
export const PROCESS_MINUTES = { stepSeconds: 60, days: 2, blockSeconds: 3600 } as const;

/** Stored CPU and memory of containers. The list shows a day; older rows go with their partition. */
export const CONTAINER_HISTORY = { stepSeconds: 900, hours: 24, days: 2 } as const;

/** Default load lines: the warning and critical thresholds of the default alert rules, in per cent. */
export const LOAD_LINES = {
  cpu: { warning: 80, critical: 95 },
  memory: { warning: 80, critical: 95 },
  disk: { warning: 80, critical: 90 },
  /** The card of the dashboard turns red above 10. */
  ioWait: { warning: 10, critical: null },
} as const;

/** Warning lines of the default rules of `inode_usage`, `network_errors` and `temperature`. */
export const OTHER_LINES = { inodePercent: 90, networkErrorsPerSecond: 10, temperaturePercent: 95 } as const;

/** Retention in days by level of detail. */
export const RETENTION_DAYS = { raw: 7, fiveMinutes: 90, oneHour: 365 } as const;

/** Exit status of the collector when its enrolment is dead (sysexits EX_CONFIG): the unit must not restart on it. */
export const EXIT_ENROLMENT_DEAD = 78;
