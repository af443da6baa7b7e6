import { z } from 'zod';

/** GET /api/data/processes. cpu_usage is per cent of one core, memory_usage per cent of the host's memory. */
export const process = z.object({
  server_id: z.uuid(),
  hostname: z.string(),
  pid: z.int(),
  name: z.string(),
  command: z.string(),
  user: z.string(),
  status: z.string(),
  cpu_usage: z.number().nullable(),
  memory_usage: z.number().nullable(),
  memory_kb: z.number(),
  threads: z.int().nullable(),
  start_time: z.number(),
  timestamp: z.number(),
});
export const processesAnswer = z.object({ processes: z.array(process), total: z.int() });
export type Process = z.infer<typeof process>;
export type ProcessesAnswer = z.infer<typeof processesAnswer>;
