import { headroomOf } from '@plimsoll/contract/rules/headroom';
import { LOAD_LINES } from '@plimsoll/contract/rules/limits';
import type { Headroom, LoadLines } from '@plimsoll/contract/wire/servers';
import type { LatestState } from '../servers/types.ts';

/** The lines of a server no rule says otherwise about: the thresholds of the default rules. */
export const DEFAULT_LINES: LoadLines = {
  cpu: LOAD_LINES.cpu,
  memory: LOAD_LINES.memory,
  disk: LOAD_LINES.disk,
  io_wait: LOAD_LINES.ioWait,
};

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
