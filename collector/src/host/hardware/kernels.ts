import type { Files } from '../../runtime/files.ts';

export interface Kernels {
  running: string;
  /** An installed kernel of the same kind that is newer; null: the newest runs. */
  newest: string | null;
}

/**
 * Compares the running kernel with the installed ones. Returns null where no kernel of the same kind is installed, as in a
 * virtual machine whose kernel is a file of its host.
 */
export function newerKernel(files: Files): Kernels | null {
  const running = files.optional('proc/sys/kernel/osrelease')?.trim() ?? '';
  if (running === '') return null;
  const kind = kindOf(running);
  const alike = installedKernels(files).filter((kernel) => kindOf(kernel) === kind);
  if (alike.length === 0) return null;
  const newest = alike.reduce((best, kernel) => (isNewer(kernel, best) ? kernel : best), running);
  return { running, newest: newest === running ? null : newest };
}

const IN_BOOT = /^(?:vmlinuz|vmlinux|kernel|Image)-(\d.*)$/;

/** A folder of modules alone is no kernel: a removed one leaves it behind with modules that were built on this machine. */
function installedKernels(files: Files): string[] {
  const inBoot = files.list('boot').flatMap((name) => IN_BOOT.exec(name)?.[1] ?? []);
  const besideModules = files.list('lib/modules').filter((name) => files.stat(`lib/modules/${name}/vmlinuz`) !== null);
  return [...new Set([...inBoot, ...besideModules])];
}

const VERSION = /^[\d.-]+/;

/** Returns what follows the version, without its numbers: "amd#" of 6.1.0-26-amd64, "el#.x#" of 5.14.0-427.13.1.el9_4.x86_64. */
const kindOf = (kernel: string): string => kernel.replace(VERSION, '').replaceAll(/\d+(?:_\d+)*/g, '#');

const numbersOf = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** Returns true if the first is a later version. After equal versions, as of arch1-1 and arch1-2, the rest decides. */
export function isNewer(a: string, b: string): boolean {
  const ofVersions = compare(numbersOf(VERSION.exec(a)?.[0] ?? ''), numbersOf(VERSION.exec(b)?.[0] ?? ''));
  return (ofVersions === 0 ? compare(numbersOf(a), numbersOf(b)) : ofVersions) > 0;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? -1) - (b[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
