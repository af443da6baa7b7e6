import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import type { CpuPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../../runtime/files.ts';
import { type ControlGroup, controlGroupOf, type CpuSeconds } from './control-group.ts';
import { type Enclosure, enclosureOf, isContainer } from './enclosure.ts';
import { increase } from '../rate.ts';

/** Cores that are online. */
export const countCores = (stat: string): number => stat.match(/^cpu\d+ /gm)?.length ?? 0;

/** lxcfs and OpenVZ show a container its own CPUs in /proc/stat. */
const hasOwnStat = ({ kind, lxcfs }: Enclosure): boolean => kind === 'openvz' || lxcfs.has('stat');

/** Finds the control group whose limits are not in /proc/stat; null where that file is right. */
function limitingGroup(files: Files): ControlGroup | null {
  const enclosure = enclosureOf(files);
  return enclosure === null || !isContainer(enclosure) || hasOwnStat(enclosure) ? null : controlGroupOf(files);
}

/** Returns a reader of the limit in cores, which takes the text of /proc/stat; it returns null without a limit. */
export function cpuLimit(files: Files): (stat: string) => number | null {
  let group: ControlGroup | null | undefined;
  return (stat) => {
    group = group === undefined ? limitingGroup(files) : group;
    const limit = group?.cpuLimitCores() ?? null;
    return limit !== null && limit < countCores(stat) ? limit : null;
  };
}

/** Returns a reader of the CPU of a container with a limit; it returns null where /proc/stat is right. */
export function limitedCpu(files: Files): (stat: string, up: number) => CpuPart | null {
  let group: ControlGroup | null | undefined;
  let before: { up: number; seconds: CpuSeconds } | null = null;
  return (stat, up) => {
    group = group === undefined ? limitingGroup(files) : group;
    const limit = group?.cpuLimitCores() ?? null;
    if (group === null || limit === null || limit >= countCores(stat)) return null;
    const seconds = group.cpuSeconds();
    if (seconds === null) return null;
    const part = shapeLimited(before, { up, seconds }, limit);
    before = { up, seconds };
    return part;
  };
}

interface Reading {
  up: number;
  seconds: CpuSeconds;
}

/** No control group counts IO wait, steal or single cores. */
function shapeLimited(before: Reading | null, now: Reading, limitCores: number): CpuPart {
  const possible = before === null ? null : (now.up - before.up) * limitCores;
  const share = (key: keyof CpuSeconds): number | null =>
    possible === null || possible <= 0
      ? null
      : boundedPercentOf(increase(before?.seconds[key], now.seconds[key]), possible);
  return {
    percent: share('all'),
    io_wait_percent: null,
    steal_percent: null,
    user_percent: share('user'),
    system_percent: share('system'),
    per_core_percent: [],
  };
}
