import { kernelUnits } from '../tables/auxv.ts';
import { parsePidStat } from '../tables/pid-stat.ts';
import { hostClock } from '../enclosure/host-clock.ts';
import type { Files } from '../../runtime/files.ts';
import { orNull } from '../../runtime/or-null.ts';
import type { Moment } from '../../source.ts';

/** One run of a container, as its control group shows it. */
export interface GroupRun {
  inode: number | null;
  /** Start of its first process, epoch seconds; null: not known. */
  startedAt: number | null;
}

/** Podman, systemd and LXC put the processes one level deeper. */
const PLACES_OF_PROCESSES = ['', '/container', '/init.scope', '/.lxc'];

/** Reads since when the container of a control group runs. A run is looked into once. `root`: of the hierarchy. */
export function groupRuns(files: Files): (root: string, path: string, now: Moment) => GroupRun {
  const { ticksPerSecond } = kernelUnits(files);
  const aheadOf = hostClock(files, ticksPerSecond);
  let known = new Map<string, GroupRun>();
  return (root, path, now) => {
    const inode = files.stat(`${root}/${path}`)?.inode ?? null;
    const before = known.get(path);
    if (inode !== null && before?.inode === inode && before.startedAt !== null) return before;
    const ticks = firstStartTicks(files, `${root}/${path}`);
    const up = now.up + aheadOf(now);
    const run = { inode, startedAt: ticks === null ? null : Math.max(0, now.ts - up + ticks / ticksPerSecond) };
    // Containers come and go: the map must not grow for ever.
    if (known.size > 1000) known = new Map();
    known.set(path, run);
    return run;
  };
}

function firstStartTicks(files: Files, group: string): number | null {
  for (const place of PLACES_OF_PROCESSES) {
    const pid = /^\d+/.exec(files.head(`${group}${place}/cgroup.procs`, 64)?.text ?? '')?.[0];
    if (pid === undefined) continue;
    const stat = orNull(() => files.bytes(`proc/${pid}/stat`));
    return stat === null ? null : (parsePidStat(stat)?.startTicks ?? null);
  }
  return null;
}
