import { z } from 'zod';
import { CONTAINER_STATES } from '../rules/container-states.ts';
import { count, measured, MOST } from './number-bounds.ts';

/** Parts of a host's report about its containers and the processes that its owner watches. */

const text = z.string();

export const containerPart = z.object({
  id: text,
  name: text.nullable(),
  image: text.nullable(),
  runtime: text.nullable(),
  /** Per cent of one core over the window. */
  cpu_percent: measured(0, MOST.processCpuPercent),
  memory_bytes: measured(0, MOST.exact),
  memory_limit_bytes: measured(0, MOST.exact),
  /** Absent: the agent does not send it, or sends a word that this server has no state for. */
  state: z.enum(CONTAINER_STATES).optional(),
  /** Since when it is in this state, epoch seconds: start of a running container, end of an exited one. */
  since: measured(0, MOST.epochSeconds).optional(),
  /** Status of the last end; only the runtime's socket has it. */
  exit_code: measured(-MOST.int32, MOST.int32).optional(),
  /** The kernel ended it for its memory limit, as the runtime says. */
  oom_killed: z.boolean().optional(),
  /** Kills for memory in its control group since the group began. */
  oom_kills: measured(0, MOST.exact).optional(),
  /** Restarts that the runtime counted since it made the container; only its socket has it. */
  restarts: measured(0, MOST.int32).optional(),
  /** Restarts that the collector saw in the last hour, at most since it started. Absent: none. */
  restarts_last_hour: measured(0, MOST.int32).optional(),
  /** Project of Docker Compose; only the runtime's socket has it. */
  project: text.nullable().optional(),
});

export const watchedProcessPart = z.object({
  /** As the setting `watched_processes` has it. */
  name: text,
  /** Processes of this name. */
  running: count,
});

export type ContainerPart = z.infer<typeof containerPart>;
export type WatchedProcessPart = z.infer<typeof watchedProcessPart>;
