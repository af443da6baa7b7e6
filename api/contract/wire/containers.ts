import { z } from 'zod';
import { CONTAINER_STATES } from '../rules/container-states.ts';
import { SERVER_STATUSES } from '../rules/limits.ts';

/** One container of the last report of its server. A server that does not report now has its last ones, marked as late. */
export const container = z.object({
  server_id: z.uuid(),
  hostname: z.string(),
  server_status: z.enum(SERVER_STATUSES),
  id: z.string(),
  name: z.string().nullable(),
  image: z.string().nullable(),
  runtime: z.string().nullable(),
  /** Project of Docker Compose. */
  project: z.string().nullable(),
  /** null: the agent does not send it. */
  state: z.enum(CONTAINER_STATES).nullable(),
  /** It needs a person: restarting, unhealthy, dead, ended by the kernel or with an error. */
  is_broken: z.boolean(),
  /** Since when it is in this state, epoch seconds. */
  since: z.number().nullable(),
  exit_code: z.int().nullable(),
  oom_killed: z.boolean(),
  /** Kills for memory in its control group since the group began. */
  oom_kills: z.int().nullable(),
  /** As the runtime counted them since it made the container; null: only its socket has it. */
  restarts: z.int().nullable(),
  /** As the collector saw them in the last hour; 0: none was seen. */
  restarts_last_hour: z.int(),
  cpu_cores: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  /** null: there is no limit, or it is not known. */
  memory_limit_bytes: z.number().nullable(),
  /** Memory in per cent of its limit; null: there is no limit. */
  memory_percent: z.number().nullable(),
  /** The load line of memory on this server, per cent. */
  memory_line: z.number(),
  /** It neither alerts nor counts in the summary. */
  is_hidden: z.boolean(),
  sampled_at: z.iso.datetime(),
  /** CPU in cores of the last 24 h, in steps of `history_step_seconds`, the newest last; null: none is stored yet. */
  cpu_history: z.array(z.number().nullable()).nullable(),
});

/** Counts over all containers in the scope that are not hidden, whatever the search and the filter. */
export const containersSummary = z.object({
  total: z.int(),
  /** Servers with a container. */
  hosts: z.int(),
  /** Servers in the scope. */
  servers: z.int(),
  running: z.int(),
  broken: z.int(),
  over_line: z.int(),
  near_line: z.int(),
  no_limit: z.int(),
  /** On servers that do not report now. */
  late: z.int(),
  hidden: z.int(),
});
export const containersAnswer = z.object({
  containers: z.array(container),
  /** Containers that match the search and the filter. */
  total: z.int(),
  summary: containersSummary,
  history_step_seconds: z.int(),
});

/** The containers of one host, of one image, or of one Compose project, without hidden ones. */
export const containerGroup = z.object({
  /** Server id, image or project: the value of the filter of GET /api/containers. */
  key: z.string(),
  name: z.string(),
  containers: z.int(),
  running: z.int(),
  broken: z.int(),
  over_line: z.int(),
  near_line: z.int(),
  no_limit: z.int(),
  /** On servers that do not report now; they count here alone. */
  late: z.int(),
  restarts_last_hour: z.int(),
  /** Sums over the containers of servers that report; null: none of them has the figure. */
  cpu_cores: z.number().nullable(),
  memory_bytes: z.number().nullable(),
});
const groups = z.object({ groups: z.array(containerGroup), total: z.int(), ungrouped: z.int() });
/** Each list has at most CONTAINER_GROUPS groups, the worst first. `ungrouped`: containers that belong to none. */
export const containerGroupsAnswer = z.object({ host: groups, image: groups, project: groups });

export type ContainerGroup = z.infer<typeof containerGroup>;
export type ContainerGroupsAnswer = z.infer<typeof containerGroupsAnswer>;
export type Container = z.infer<typeof container>;
export type ContainersSummary = z.infer<typeof containersSummary>;
export type ContainersAnswer = z.infer<typeof containersAnswer>;
