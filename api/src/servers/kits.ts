import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareNames } from '@plimsoll/contract/rules/compare-names';
import { KIT_TARGETS, type KitTarget } from '@plimsoll/contract/wire/install';

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/;

export const kitName = (ofVersion: string, target: string): string => `plimsoll-${ofVersion}-${target}.tar.gz`;

/** Returns the highest version that has a kit for the target; null when none has. */
export async function newestWith(agentDir: string, target: string): Promise<string | null> {
  const names = (await readdir(agentDir).catch(() => [])).filter((name) => VERSION.test(name));
  for (const name of names.toSorted(byVersion).toReversed())
    if (await stat(join(agentDir, name, kitName(name, target))).catch(() => null)) return name;
  return null;
}

/** Returns the platforms that the install script finds a kit for. */
export async function builtKits(agentDir: string): Promise<KitTarget[]> {
  const versions = await Promise.all(KIT_TARGETS.map((target) => newestWith(agentDir, target)));
  return KIT_TARGETS.filter((_, index) => versions[index] !== null);
}

/** Numbers as numbers; a pre-release stands before its release. */
export function byVersion(a: string, b: string): number {
  const [[left, leftPre], [right, rightPre]] = [a.split(/-(.*)/s), b.split(/-(.*)/s)];
  const numbers = compareNames(left ?? '', right ?? '');
  if (numbers !== 0 || leftPre === rightPre) return numbers;
  if (leftPre === undefined || rightPre === undefined) return leftPre === undefined ? 1 : -1;
  return compareNames(leftPre, rightPre);
}
