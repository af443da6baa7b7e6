import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot, runFolder } from '../../cluster/places.ts';

const folder = import.meta.dirname;

/** The pinned modules and the recipes, which decide the content of the images. */
const IMAGE_INPUTS = [
  'tools/*/go.sum',
  'tools.ts',
  'images.ts',
  'archive.ts',
  'own-engine/roots.sh',
  'own-engine/node-image.sh',
  'manifests/node-network.yaml',
];

/** Returns the SHA-256 (hex, 16 digits) of the named files' paths and contents. */
function hashFiles(patterns: string[]): string {
  const hash = createHash('sha256');
  const files = globSync(patterns, { cwd: folder }).toSorted();
  if (files.length < patterns.length) throw new Error(`${folder}: found ${files.join(', ')} of ${patterns.join(', ')}`);
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

export interface Places {
  /** Compiled tools. Every run on the same go.sum files shares them. */
  bin: string;
  /** Debian roots and unpacked packages. */
  roots: string;
  /** Image archives and the saved node image. */
  images: string;
  /** Sockets, logs, container layers and the kubeconfig, only while a cluster runs. */
  run: string;
}

export function places(environment: Record<string, string | undefined>): Places {
  const root = cacheRoot(environment);
  return {
    bin: join(root, 'tools', hashFiles(['tools/*/go.sum', 'tools.ts'])),
    roots: join(root, 'roots', hashFiles(['own-engine/roots.sh'])),
    images: join(root, 'images', hashFiles(IMAGE_INPUTS)),
    run: runFolder(environment),
  };
}
