import { chmodSync, mkdtempSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { stopClusters } from './postgres-clusters.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresFolder: string;
    isCi: boolean;
  }
}

/**
 * Global setup: a folder for this run's clusters (short, for a socket path has at most 103 bytes); they start on
 * demand.
 */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync('/tmp/plimsoll-test-');
  chmodSync(folder, 0o755);
  project.provide('postgresFolder', folder);
  return () => stopClusters(folder);
}
