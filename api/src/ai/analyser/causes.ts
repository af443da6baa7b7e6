import {
  cpuAfterChange,
  growingLoad,
  moreTraffic,
  noisyProcess,
  scheduledJob,
  stuckTasks,
  unexplainedCpu,
} from './cpu-causes.ts';
import { diskFilling, diskSaturated, inodesExhausted } from './disk-causes.ts';
import type { Cause, CauseKind, Evidence, Finder } from './evidence.ts';
import { killedForMemory, memoryLeak, memoryTaken, processPileup, swapping } from './memory-causes.ts';
import { bulkTransfer, connectionLeak, networkDrop, networkFlood, packetLoss } from './network-causes.ts';
import { nodeNotReady, nodeUnderPressure } from './node-causes.ts';
import {
  cpuLimitReached,
  crashLoopAfterChange,
  noisyNeighbour,
  outOfMemory,
  podCrashLoop,
  probeFailure,
} from './pod-causes.ts';
import {
  containerConfigError,
  evicted,
  imagePullFailure,
  quotaExceeded,
  unschedulable,
  volumeCauses,
} from './pod-start-causes.ts';
import { certificate, changeBefore, reportedFailure, serviceCrashLoop, serviceStopped } from './service-causes.ts';
import { clockSet, collectorStopped, rebooted, sharedSilence, silentHost } from './silence-causes.ts';

/**
 * Finds likely causes of an alert in what was recorded around it. Each finder looks for one pattern and says what it
 * saw; the strongest stands first. No model takes part.
 */

const FINDERS: readonly Finder[] = [
  imagePullFailure,
  containerConfigError,
  unschedulable,
  volumeCauses,
  quotaExceeded,
  evicted,
  crashLoopAfterChange,
  outOfMemory,
  noisyNeighbour,
  probeFailure,
  cpuLimitReached,
  podCrashLoop,
  nodeUnderPressure,
  nodeNotReady,
  sharedSilence,
  rebooted,
  collectorStopped,
  silentHost,
  clockSet,
  inodesExhausted,
  diskFilling,
  killedForMemory,
  memoryLeak,
  memoryTaken,
  processPileup,
  swapping,
  cpuAfterChange,
  scheduledJob,
  noisyProcess,
  unexplainedCpu,
  stuckTasks,
  diskSaturated,
  moreTraffic,
  growingLoad,
  networkFlood,
  bulkTransfer,
  packetLoss,
  connectionLeak,
  networkDrop,
  serviceCrashLoop,
  serviceStopped,
  certificate,
  reportedFailure,
  changeBefore,
];

/** A cause, and what it brings about: the latter is no cause of its own beside it. */
const BRINGS: Partial<Record<CauseKind, readonly CauseKind[]>> = {
  crash_loop_after_change: ['crash_loop', 'probe_failure', 'service_stopped'],
  image_pull_failure: ['crash_loop'],
  container_config_error: ['crash_loop'],
  certificate: ['crash_loop', 'probe_failure', 'service_stopped'],
  out_of_memory: ['crash_loop', 'crash_loop_after_change', 'probe_failure'],
  volume_full: ['crash_loop', 'probe_failure'],
  noisy_neighbour: ['probe_failure', 'crash_loop'],
  cpu_limit_reached: ['probe_failure'],
  probe_failure: ['crash_loop'],
  node_under_pressure: [
    'node_not_ready',
    'evicted',
    'unschedulable',
    'disk_filling',
    'disk_filled_by',
    'disk_filled_by_logs',
  ],
  node_not_ready: ['crash_loop', 'probe_failure'],
  shared_silence: ['silent_host', 'network_drop', 'node_not_ready'],
  rebooted: ['silent_host', 'network_drop', 'service_stopped', 'crash_loop', 'node_not_ready', 'change_before'],
  collector_stopped: ['silent_host', 'service_stopped'],
  silent_host: ['network_drop', 'swapping', 'memory_taken'],
  clock_set: [],
  inodes_exhausted: ['disk_filling', 'service_stopped', 'crash_loop'],
  killed_for_memory: ['crash_loop', 'service_stopped'],
  memory_leak: ['swapping', 'disk_saturated', 'slow_disk'],
  memory_taken: ['swapping', 'disk_saturated', 'slow_disk'],
  process_pileup: ['unexplained_cpu', 'noisy_process', 'swapping', 'memory_taken', 'memory_leak', 'connection_leak'],
  swapping: ['unexplained_cpu', 'stuck_tasks', 'disk_saturated', 'slow_disk', 'noisy_process'],
  cpu_after_change: ['noisy_process', 'scheduled_job'],
  scheduled_job: ['noisy_process', 'bulk_transfer'],
  network_flood: [
    'unexplained_cpu',
    'more_traffic',
    'noisy_process',
    'bulk_transfer',
    'memory_taken',
    'connection_leak',
  ],
  service_stopped: ['network_drop'],
  more_traffic: ['connection_leak', 'growing_load', 'memory_taken', 'unexplained_cpu'],
};

/** Metrics that a kind of cause explains. A cause of something else may be chance. */
const EXPLAINS: readonly (readonly [metric: RegExp, kinds: readonly CauseKind[]])[] = [
  [
    /^(?:disk|inode)/,
    ['disk_filled_by_logs', 'disk_filled_by', 'disk_filling', 'inodes_exhausted', 'node_under_pressure'],
  ],
  [
    /^(?:memory|swap)/,
    [
      'memory_leak',
      'memory_taken',
      'process_pileup',
      'swapping',
      'killed_for_memory',
      'growing_load',
      'more_traffic',
      'node_under_pressure',
      'connection_leak',
    ],
  ],
  [
    /^(?:cpu|load)/,
    [
      'stuck_tasks',
      'unexplained_cpu',
      'cpu_after_change',
      'scheduled_job',
      'noisy_process',
      'more_traffic',
      'growing_load',
      'network_flood',
      'process_pileup',
      'swapping',
      'disk_saturated',
      'slow_disk',
      'memory_leak',
      'memory_taken',
      'crash_loop',
      'crash_loop_after_change',
    ],
  ],
  [
    /^io_?wait/,
    [
      'stuck_tasks',
      'disk_saturated',
      'slow_disk',
      'swapping',
      'memory_leak',
      'memory_taken',
      'process_pileup',
      'scheduled_job',
    ],
  ],
  [
    /^(?:net|conn|tcp|band)/,
    [
      'network_flood',
      'bulk_transfer',
      'packet_loss',
      'connection_leak',
      'short_connections',
      'network_drop',
      'more_traffic',
      'service_stopped',
      'growing_load',
    ],
  ],
  [
    /^node_/,
    [
      'node_under_pressure',
      'node_not_ready',
      'rebooted',
      'silent_host',
      'shared_silence',
      'killed_for_memory',
      'swapping',
      'disk_filling',
      'disk_filled_by',
      'disk_filled_by_logs',
      'memory_leak',
      'memory_taken',
      'clock_set',
      'certificate',
    ],
  ],
  [/^offline/, ['shared_silence', 'rebooted', 'collector_stopped', 'silent_host']],
  [
    /^(?:systemd|service|unit|process)/,
    [
      'crash_loop',
      'crash_loop_after_change',
      'service_stopped',
      'killed_for_memory',
      'certificate',
      'clock_set',
      'rebooted',
      'inodes_exhausted',
    ],
  ],
];
/** A failure that says its own name may stand behind any metric. */
const ANYTHING: ReadonlySet<CauseKind> = new Set(['reported_failure', 'certificate']);
/** Names of servers in one line. */
const MOST_ALIKE = 6;
/** Deduction for a cause of another metric than the alert's. */
const BESIDE = 0.3;

/** Returns what fits, strongest first; empty when nothing does. */
export function findCauses(evidence: Evidence): Cause[] {
  const found = FINDERS.flatMap((find) => find(evidence) ?? []);
  const explaining = EXPLAINS.find(([metric]) => evidence.metric !== null && metric.test(evidence.metric))?.[1];
  const weighed = found.map((cause) =>
    explaining === undefined || explaining.includes(cause.kind) || ANYTHING.has(cause.kind)
      ? cause
      : { ...cause, strength: Math.max(0.05, cause.strength - BESIDE) },
  );
  const kinds = new Set(weighed.map(({ kind }) => kind));
  const brought = new Set([...kinds].flatMap((kind) => BRINGS[kind] ?? []));
  const isBrought = ({ kind, strength }: Cause): boolean =>
    brought.has(kind) &&
    // A cause that hardly fits does not explain away one that fits well.
    weighed.some((cause) => BRINGS[cause.kind]?.includes(kind) === true && cause.strength >= strength - 0.1);
  const alike = evidence.alikeTogether.slice(0, MOST_ALIKE).join(', ');
  return weighed
    .filter((cause) => !isBrought(cause))
    .toSorted((a, b) => b.strength - a.strength)
    .map((cause) =>
      alike === '' ? cause : { ...cause, evidence: [...cause.evidence, `the same alert at the same time on ${alike}`] },
    );
}
