import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './web-build.ts';

/**
 * The settings of the runtime that the collector is shipped with. The unit names them, with the reason of each; whatever
 * runs or measures the program takes them from here, and files of other formats are compared with these by a test.
 */
export function collectorRuntime(unit = readShipped('collector/units/plimsoll.service')): Record<string, string> {
  const found = [...unit.matchAll(/^Environment=(BUN_\w+|MIMALLOC_\w+)=(.*)$/gm)];
  if (found.length === 0) throw new Error('plimsoll.service names no settings of the runtime');
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
}

export const readShipped = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
