import { filesystemPart, loadPart, memoryPart, type Report } from '@plimsoll/contract/wire/report';
import { MOST } from '@plimsoll/contract/wire/number-bounds';

/** Why a part is missing that the agent has sent. */
export const IMPOSSIBLE = 'The agent sent values that no machine can have';

type Parts = Partial<Pick<Report, 'memory' | 'filesystems' | 'load'>>;

/**
 * Leaves out what the schema of a report refuses, so that a value that no machine can have costs its own part and not
 * the report. Rates and percentages out of bounds become null by the schema itself.
 */
export function possibleParts<T extends Parts>(parts: T): T {
  const possible = { ...parts };
  if (!memoryPart.safeParse(parts.memory).success) delete possible.memory;
  if (!loadPart.safeParse(parts.load).success) delete possible.load;
  const filesystems = parts.filesystems?.filter((one) => filesystemPart.safeParse(one).success) ?? [];
  if (filesystems.length > 0) possible.filesystems = filesystems;
  else delete possible.filesystems;
  return possible;
}

/** Returns a number of CPUs that a machine can have. Null: it is not one. */
export const possibleCores = (cores: number | null): number | null =>
  cores !== null && Number.isInteger(cores) && cores <= MOST.cpus ? cores : null;

/** Returns a time of boot that a machine can have. Null: it is not one. */
export const possibleBoot = (bootedAt: number | null, at: number): number | null =>
  bootedAt !== null && at - bootedAt >= -MOST_CLOCK_ERROR_SECONDS && bootedAt >= 0 ? bootedAt : null;
/** The clock of a host was set after its boot. */
const MOST_CLOCK_ERROR_SECONDS = 86_400;
