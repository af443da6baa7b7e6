import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What decides the content of the images: the pinned modules and the recipes. */
const IMAGE_INPUTS = [
  'tools/*/go.sum',
  'tools.ts',
  'images.ts',
  'archive.ts',
  'own-engine/roots.sh',
  'own-engine/node-image.sh',
  'manifests/node-network.yaml',
];

/** SHA-256 (hex, 16 digits) over the named files' paths and contents. */
export function hashFiles(folder: string, patterns: string[]): string {
  const hash = createHash('sha256');
  const files = globSync(patterns, { cwd: folder }).toSorted();
  if (files.length < patterns.length) throw new Error(`${folder}: found ${files.join(', ')} of ${patterns.join(', ')}`);
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Folder that outlives a run. Set it with PLIMSOLL_CLUSTER_CACHE. */
export function cacheRoot(environment: Record<string, string | undefined>): string {
  return (
    environment.PLIMSOLL_CLUSTER_CACHE ??
    join(environment.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'plimsoll', 'cluster')
  );
}

export interface Places {
  /** Compiled tools; shared by every run on the same go.sum files. */
  bin: string;
  /** Debian roots and unpacked packages. */
  roots: string;
  /** Image archives and the saved node image. */
  images: string;
  /** What exists only while a cluster runs: sockets, logs, container layers, kubeconfig. */
  run: string;
}

export function places(folder: string, environment: Record<string, string | undefined>): Places {
  const root = cacheRoot(environment);
  return {
    bin: join(root, 'tools', hashFiles(folder, ['tools/*/go.sum', 'tools.ts'])),
    roots: join(root, 'roots', hashFiles(folder, ['own-engine/roots.sh'])),
    images: join(root, 'images', hashFiles(folder, IMAGE_INPUTS)),
    run: join(root, 'run'),
  };
}
