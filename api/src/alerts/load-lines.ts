import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-metric-scales';
import { headroomOf } from '@plimsoll/contract/rules/headroom';
import { LOAD_LINES } from '@plimsoll/contract/rules/limits';
import type { Headroom, LoadLines } from '@plimsoll/contract/wire/servers';
import type { LatestState } from '../servers/types.ts';

/** The thresholds of the default rules. A user's rule moves the lines of the servers it applies to. */
export const DEFAULT_LINES: LoadLines = {
  cpu: LOAD_LINES.cpu,
  memory: LOAD_LINES.memory,
  disk: LOAD_LINES.disk,
  io_wait: LOAD_LINES.ioWait,
};

/** The load line that a rule of the metric moves. */
export const RESOURCE_OF_METRIC = {
  cpu_usage: 'cpu',
  memory_usage: 'memory',
  disk_usage: 'disk',
  io_wait: 'io_wait',
} as const satisfies Partial<Record<AlertRuleMetric, keyof LoadLines>>;

/** Null when nothing was ever reported. */
export function serverHeadroom(latest: LatestState, lines: LoadLines): Headroom | null {
  const { sample } = latest;
  if (sample === null) return null;
  return headroomOf(lines, {
    cpu: sample.cpuPercent,
    memory: sample.memoryPercent,
    disk: sample.diskPercent,
    io_wait: sample.ioWaitPercent,
  });
}
