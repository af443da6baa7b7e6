/**
 * States of a container, the worst first. The words of Docker's and Podman's API, with `unhealthy` for a running container
 * whose health check fails. A control group alone shows only `running`.
 */
export const CONTAINER_STATES = ['restarting', 'unhealthy', 'dead', 'exited', 'running', 'paused', 'created'] as const;
export type ContainerState = (typeof CONTAINER_STATES)[number];

interface Ended {
  state?: ContainerState | undefined;
  exit_code?: number | null | undefined;
  oom_killed?: boolean | undefined;
}

/** Exit code of a process that SIGTERM ended: 128 + 15. `docker stop` ends a program without a handler like this. */
const STOPPED_BY_SIGTERM = 143;

/**
 * Returns true if the container needs a person: it restarts again and again, its health check fails, the kernel ended it
 * for its memory, or it ended with an error. A container that somebody stopped is not broken.
 */
export function isBrokenContainer({ state, exit_code: code, oom_killed: oomKilled }: Ended): boolean {
  if (state === 'restarting' || state === 'unhealthy' || state === 'dead') return true;
  if (state !== 'exited') return false;
  return oomKilled === true || (code != null && code !== 0 && code !== STOPPED_BY_SIGTERM);
}

/** Restarts in an hour from which a container is in a restart loop; the default line of its alert. */
export const RESTART_LOOP_PER_HOUR = 5;

/** Order of GET /api/containers. `worst`: broken first, then least headroom against the memory limit. */
export const CONTAINER_SORTS = ['worst', 'name', 'host', 'cpu', 'memory', 'restarts'] as const;
export type ContainerSort = (typeof CONTAINER_SORTS)[number];
/** Filter of GET /api/containers: a state, or a group of them. */
export const CONTAINER_FILTERS = ['broken', 'over_line', 'near_line', 'no_limit', 'late', ...CONTAINER_STATES] as const;
export type ContainerFilter = (typeof CONTAINER_FILTERS)[number];

/** Groupings of containers, and filters of the same names. */
export const CONTAINER_GROUPINGS = ['host', 'image', 'project'] as const;
export type ContainerGrouping = (typeof CONTAINER_GROUPINGS)[number];
/** Most groups of a list. */
export const CONTAINER_GROUPS = 500;
