import { cutText } from '@plimsoll/contract/rules/printable-text';
import { networkConnectionsAnswer } from '@plimsoll/contract/wire/network';
import { processesAnswer, processSnapshotAnswer, type Process } from '@plimsoll/contract/wire/processes';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { secondsOf } from './series.ts';
import { chosenServer, requireNamed } from './named-server.ts';
import { iso, MOST_ROWS, tool } from './tool.ts';

const COMMAND_CHARACTERS = 200;
/** Processes that a search for a program looks through. */
const MOST_LISTED = 1000;

const shortProcess = (process: Process): Record<string, unknown> => ({
  hostname: process.hostname,
  pid: process.pid,
  name: process.name,
  command: cutText(process.command, COMMAND_CHARACTERS),
  user: process.user,
  cpu_percent_of_one_core: process.cpu_usage,
  cpu_cores_of_server: process.server_cpu_cores,
  memory_percent: process.memory_usage,
  memory_kb: process.memory_kb,
  started_at: iso(process.start_time),
});

export const processTools: readonly Tool[] = [
  tool({
    name: 'top_processes',
    description:
      'Lists the processes that use most CPU or memory, now or (with server and at) at an earlier moment. cpu_percent_of_one_core is per cent of one core.',
    input: z.object({
      by: z.enum(['cpu', 'memory']),
      server: z.string().max(200).optional(),
      at: z
        .union([z.number(), z.string().max(40)])
        .optional()
        .describe('epoch seconds or ISO 8601'),
      program: z.string().min(1).max(200).optional().describe('part of the name or the command; now only'),
    }),
    async run({ by, server, at, program }, context) {
      if (at !== undefined) {
        const chosen = await requireNamed(context, server ?? context.serverId ?? '');
        const moment = secondsOf(at);
        const found = await context.read('/api/data/processes/at', processSnapshotAnswer, {
          query: { server_id: chosen.id, at: Math.ceil(moment) },
        });
        return {
          content: {
            listed_at: found.snapshot_at === null ? null : iso(found.snapshot_at),
            why_empty: found.snapshot_at === null ? 'No list of that time is stored.' : null,
            processes: found.processes
              .toSorted((a, b) => (by === 'cpu' ? (b.cpu_usage ?? 0) - (a.cpu_usage ?? 0) : b.memory_kb - a.memory_kb))
              .slice(0, MOST_ROWS)
              .map(shortProcess),
          },
          sources: [screens.serverAt(chosen.id, chosen.hostname, moment, context.now)],
        };
      }
      const chosen = await chosenServer(context, server);
      const { processes, total } = await context.read('/api/data/processes', processesAnswer, {
        query: { limit: program === undefined ? MOST_ROWS : MOST_LISTED, rank_type: by, server_id: chosen?.id },
      });
      const wanted = program?.toLowerCase() ?? '';
      const found = processes.filter(({ name, command }) => `${name} ${command}`.toLowerCase().includes(wanted));
      return {
        content: {
          total: program === undefined ? total : found.length,
          listed: total,
          processes: found.slice(0, MOST_ROWS).map(shortProcess),
        },
        sources: [screens.processes(chosen?.id ?? null, by)],
      };
    },
  }),
  tool({
    name: 'connections',
    description:
      'Lists network connections of a server, most important first. Remote addresses are masked to networks.',
    input: z.object({ server: z.string().max(200) }),
    async run({ server }, context) {
      const { id, hostname } = await requireNamed(context, server);
      const { connections, total } = await context.read('/api/data/network/connections', networkConnectionsAnswer, {
        query: { server_id: id, limit: MOST_ROWS },
      });
      return { content: { hostname, total, connections }, sources: [screens.network(id)] };
    },
  }),
];
