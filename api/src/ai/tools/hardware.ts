import { serverAnswer, serversAnswer, type ServerDetail } from '@plimsoll/contract/wire/servers';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool, ToolContext } from '../types.ts';
import { chosenServer } from './named-server.ts';
import { MOST_ROWS, tool } from './tool.ts';

/** Hardware stands in the details of a server only. */
const MOST_DETAILS = 50;
const HARDWARE_KINDS = ['gpus', 'raid', 'drives', 'fans', 'power', 'failed_units'] as const;
type Kind = (typeof HARDWARE_KINDS)[number];
type Part = Record<string, unknown>;

/** Parts of one server; null: it has none, or nothing reads them. */
function partsOf({ hardware, units }: ServerDetail, kind: Kind): readonly Part[] | null {
  if (kind === 'failed_units') return units?.filter(({ state }) => state === 'failed') ?? null;
  if (kind !== 'raid') return hardware?.[kind] ?? null;
  const { raid = null, pools = null } = hardware ?? {};
  return raid === null && pools === null ? null : [...(raid ?? []), ...(pools ?? [])];
}

/** Healthy parts come last; a GPU with more use first. */
function badness(part: Part, kind: Kind): number {
  switch (kind) {
    case 'gpus':
      return typeof part['use_percent'] === 'number' ? part['use_percent'] : -1;
    case 'raid':
      return ['clean', 'online'].includes(String(part['state'])) ? 0 : 1;
    case 'drives':
      return part['passed'] === false ? 1 : 0;
    case 'fans':
      return part['alarm'] === true ? 1 : 0;
    case 'power':
      return part['on_battery'] === true ? 1 : 0;
    case 'failed_units':
      return 0;
  }
}

export async function detailsOf(
  context: ToolContext,
  id: string | null,
): Promise<{ servers: ServerDetail[]; total: number }> {
  const list =
    id === null
      ? await context.read('/api/servers/list', serversAnswer, { query: { status: 'active', limit: MOST_DETAILS } })
      : null;
  const ids = list?.servers.map((server) => server.id) ?? (id === null ? [] : [id]);
  const details = await Promise.all(
    ids.map((of) => context.read('/api/servers/:id', serverAnswer, { params: { id: of } })),
  );
  return { servers: details.map(({ server }) => server), total: list?.total ?? 1 };
}

/** Parts of machines that only the details of a server have. */
export const hardwareTools: readonly Tool[] = [
  tool({
    name: 'hardware',
    description:
      'Lists hardware and failed units of servers that report, the worst first: GPUs (use, memory, temperature), RAID arrays and pools (state), drives by SMART (passed: false expects to fail), fans, batteries and UPS, failed systemd units. Without a server: of at most 50 servers, see looked_at. reporting: servers that have such parts and report them.',
    input: z.object({
      kind: z.enum(HARDWARE_KINDS),
      server: z.string().max(200).optional().describe('host name or server_id; default: all servers that report'),
    }),
    async run({ kind, server }, context) {
      const chosen = await chosenServer(context, server);
      const { servers, total } = await detailsOf(context, chosen?.id ?? null);
      const reporting = servers.filter((one) => partsOf(one, kind) !== null);
      const parts = reporting
        .flatMap((one) =>
          (partsOf(one, kind) ?? []).map((part): Part => ({ hostname: one.display_name ?? one.hostname, ...part })),
        )
        .toSorted((a, b) => badness(b, kind) - badness(a, kind));
      return {
        content: {
          kind,
          servers: total,
          looked_at: servers.length,
          reporting: reporting.length,
          total: parts.length,
          worse:
            kind === 'gpus' ? null : parts.filter((part) => kind === 'failed_units' || badness(part, kind) > 0).length,
          parts: parts.slice(0, MOST_ROWS),
          // The parts of a silent server are those of its last report.
          silent: servers
            .filter(({ status }) => status !== 'active')
            .map((one) => ({
              hostname: one.display_name ?? one.hostname,
              status: one.status,
              last_seen_at: one.last_seen_at,
            })),
        },
        sources: [chosen === null ? screens.servers() : screens.server(chosen.id, chosen.hostname)],
      };
    },
  }),
];
