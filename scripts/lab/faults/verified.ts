import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfFiles } from '../../lib/hash-of-files.ts';

/** A line for each fault that held: its name and the hash of its files then. A commit carries it. */
const VERIFIED = 'scripts/lab/faults/verified';

const COLLECTING = [/^collector\/src\/(send|runtime|cli)\//, /^collector\/src\/[a-z-]+\.ts$/];
const STORING = [/^api\/src\/(reports|database|jobs)\//, /^api\/src\/(main|serve|deps|storage)\.ts$/, /^prisma\//];
const ANSWERING = [/^api\/src\/http\//, /^api\/src\/(concurrency-limit|serve)\.ts$/];
const ALERTING = [/^api\/src\/(alerts|notify|live)\//];

/**
 * The files of the product that decide whether a fault holds. `attacks` is not among them, since `npm test` runs the same
 * tests, nor `memory`, which takes as long as all the others.
 */
const INPUTS: Record<string, readonly RegExp[]> = {
  kills: [...COLLECTING, ...STORING],
  'full-disks': [...COLLECTING, ...STORING, ...ANSWERING],
  overload: [...COLLECTING, ...ANSWERING, /^api\/src\/(reports|jobs)\//],
  backup: [/^prisma\//, /^api\/src\/(database|cli)\//],
  spool: COLLECTING,
  'lossy-network': [...COLLECTING, /^api\/src\/reports\//],
  flood: [...ANSWERING, /^api\/src\/reports\//],
  'slow-sockets': ANSWERING,
  labels: [/^api\/src\/(telemetry|reports)\//],
  upgrade: [/^prisma\//, /^api\/src\/database\//],
  replicas: [...STORING, ...ALERTING],
  switchover: STORING,
  patroni: STORING,
  checks: [...COLLECTING, ...STORING, /^(api|collector)\/src\/checks\//, /^api\/contract\/probes\//],
};
/** Scripts that do the harm and judge what is left. A change of them may change any fault, unless it is another's. */
const HARNESS = /^scripts\/(lab\/faults|e2e)\/(?!main\.ts$|table\.ts$|verified)/;
/** Scripts that one fault alone needs. Those of `replicas` serve `switchover` and `patroni`, too. */
const OWN: Record<string, RegExp> = {
  kills: /^scripts\/lab\/faults\/kills\.ts$/,
  spool: /^scripts\/lab\/faults\/spool\.ts$/,
  'lossy-network': /^scripts\/lab\/faults\/lossy/,
  flood: /^scripts\/lab\/faults\/flood\.ts$/,
  intake: /^scripts\/lab\/faults\/intake\//,
  overload: /^scripts\/lab\/faults\/(overload|cpu-limit)\.ts$/,
  'slow-sockets': /^scripts\/lab\/faults\/slow\.ts$/,
  'full-disks': /^scripts\/lab\/faults\/(full-disks|small-disk)\.ts$/,
  labels: /^scripts\/lab\/faults\/labels\.ts$/,
  backup: /^scripts\/lab\/faults\/backup\.ts$/,
  checks: /^scripts\/lab\/faults\/checks\//,
  upgrade: /^scripts\/lab\/faults\/upgrade\.ts$/,
  switchover: /^scripts\/lab\/faults\/switchover\//,
  patroni: /^scripts\/lab\/faults\/patroni\//,
  memory: /^scripts\/lab\/faults\/memory\.ts$/,
  attacks: /^scripts\/lab\/faults\/attacks\.ts$/,
};
const NEVER = /(\.test\.ts$|\/testing\/|\.md$)/;

/** Returns true if the fault may hold no longer after a change of `file`, a path from the root of the repository. */
export const decides = (fault: string, file: string): boolean =>
  !NEVER.test(file) &&
  !Object.entries(OWN).some(([name, pattern]) => name !== fault && pattern.test(file)) &&
  [HARNESS, ...(INPUTS[fault] ?? [])].some((pattern) => pattern.test(file));

export const hashOfFault = (root: string, fault: string): string => hashOfFiles(root, (file) => decides(fault, file));

function readVerified(root: string): Map<string, string> {
  const file = join(root, VERIFIED);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

/** Returns those of `faults` whose files are not the ones they held with. */
export function changed(root: string, faults: readonly string[]): string[] {
  const verified = readVerified(root);
  return faults.filter((name) => name in INPUTS && verified.get(name) !== hashOfFault(root, name));
}

/** Writes the hash of a fault that held. Commit the file. */
export function recordHeld(root: string, fault: string, hash: string): void {
  const verified = readVerified(root).set(fault, hash);
  const lines = [...verified].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((line) => line.join(' '));
  writeFileSync(join(root, VERIFIED), `${lines.join('\n')}\n`);
}
