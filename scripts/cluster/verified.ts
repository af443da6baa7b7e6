import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfFiles } from '../lib/hash-of-files.ts';

/** Holds the hash of the lane's files at its last green run. A commit carries it. */
const VERIFIED = 'scripts/cluster/verified';

/** The files that decide how the product behaves in a cluster. A change elsewhere needs no cluster to be tested. */
const DECIDING = [
  /^charts\//,
  /^scripts\/(cluster|lab\/airgap)(\/|\.mjs$)/,
  /^scripts\/release\/(registry|chart)\.ts$/,
  /(^|\/)Dockerfile(\.dockerignore)?$/,
  /^package-lock\.json$/,
  /^collector\/src\/(kubernetes\/|node\/|cli\/|send\/|runtime\/|[a-z-]+\.ts$)/,
  /^prisma\/migrations\/\d+_kubernetes[^/]*\//,
  /^api\/contract\/(wire|rules)\/(kubernetes|cluster|report|install)[^/]*\.ts$/,
  /^api\/src\/(.*\/)?[^/]*(kubernetes|cluster)[^/]*(\/|\.ts$)/,
  /^web\/src\/(.*\/)?[^/]*kubernetes[^/]*(\/|\.tsx?$)/,
];

/** The record itself, its rules, texts for readers, and tests that `npm test` runs. */
const NEVER =
  /^scripts\/cluster\/verified|^charts\/[^/]+\/README\.md(?:\.in)?$|^(?:api|collector|web)\/.*\.test\.tsx?$/;

/** Returns true if the lane depends on `file`, a path from the root of the repository. */
export const decides = (file: string): boolean => !NEVER.test(file) && DECIDING.some((pattern) => pattern.test(file));

export const hashOfLane = (root: string): string => hashOfFiles(root, decides);

/** Returns why the lane has to run, or null if it was green on the same files. `full`: the value of CI_FULL. */
export function reasonToRun(root: string, full: string | undefined): string | null {
  if (full === '1') return 'CI_FULL=1';
  const file = join(root, VERIFIED);
  if (!existsSync(file)) return `no green run is recorded: ${VERIFIED} does not exist`;
  const verified = readFileSync(file, 'utf8').trim();
  const hash = hashOfLane(root);
  if (hash === verified) return null;
  return `its files changed since the last green run: their hash is ${hash}, ${VERIFIED} holds ${verified}`;
}

/** Writes the hash of a green run. Commit the file. */
export function recordGreenRun(root: string, hash: string): void {
  writeFileSync(join(root, VERIFIED), `${hash}\n`);
}
