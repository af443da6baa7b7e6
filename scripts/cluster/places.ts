import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder that outlives a run. PLIMSOLL_CLUSTER_CACHE sets it. */
export function cacheRoot(environment: Record<string, string | undefined>): string {
  return (
    environment.PLIMSOLL_CLUSTER_CACHE ??
    join(environment.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'plimsoll', 'cluster')
  );
}

/** Returns the folder that exists only while a cluster runs: kubeconfig, sockets, logs. */
export const runFolder = (environment: Record<string, string | undefined>): string =>
  join(cacheRoot(environment), 'run');
