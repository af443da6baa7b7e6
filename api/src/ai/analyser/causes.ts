import type { Cause, CauseKind, Evidence, Finder } from './evidence.ts';
import {
  changeBefore,
  diskFilledByLogs,
  diskFilling,
  diskSaturated,
  memoryLeak,
  moreTraffic,
  networkDrop,
  noisyProcess,
  sharedSilence,
  silentHost,
  swapping,
} from './host-causes.ts';
import { crashLoop, crashLoopAfterChange, imagePullFailure, outOfMemory } from './restart-causes.ts';

/**
 * Finds likely causes of an alert in what was recorded around it. Each finder looks for one pattern and says what it
 * saw; the strongest stands first. No model takes part.
 */

const FINDERS: readonly Finder[] = [
  imagePullFailure,
  crashLoopAfterChange,
  outOfMemory,
  crashLoop,
  sharedSilence,
  silentHost,
  diskFilledByLogs,
  diskFilling,
  memoryLeak,
  swapping,
  noisyProcess,
  diskSaturated,
  moreTraffic,
  networkDrop,
  changeBefore,
];

/** Returns what fits, strongest first; empty when nothing does. */
export function findCauses(evidence: Evidence): Cause[] {
  const found = FINDERS.map((find) => find(evidence)).filter((cause) => cause !== null);
  const kinds = new Set(found.map(({ kind }) => kind));
  const covered = (kind: CauseKind): boolean =>
    (kind === 'crash_loop' && kinds.has('crash_loop_after_change')) ||
    (kind === 'silent_host' && kinds.has('shared_silence')) ||
    (kind === 'disk_filling' && kinds.has('disk_filled_by_logs'));
  return found.filter(({ kind }) => !covered(kind)).toSorted((a, b) => b.strength - a.strength);
}
