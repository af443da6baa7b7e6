import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { detailsOf } from './hardware.ts';
import { chosenServer } from './named-server.ts';
import { iso, MOST_ROWS, tool } from './tool.ts';

const UPDATE_FILTERS = ['pending', 'none', 'security', 'no_security', 'reboot', 'no_reboot'] as const;
interface Counted {
  pending: number | null;
  security: number | null;
  reboot_required: boolean | null;
}
/** A count that is not known is neither some nor none. */
const MATCHES: Record<(typeof UPDATE_FILTERS)[number], (counted: Counted) => boolean> = {
  pending: ({ pending }) => pending !== null && pending > 0,
  none: ({ pending }) => pending === 0,
  security: ({ security }) => security !== null && security > 0,
  no_security: ({ security }) => security === 0,
  reboot: ({ reboot_required: required }) => required === true,
  no_reboot: ({ reboot_required: required }) => required === false,
};

/** Updates of packages, as the systems themselves counted them. */
export const updateTools: readonly Tool[] = [
  tool({
    name: 'package_updates',
    description:
      'Lists the pending package updates of servers that report, those with most security updates first: pending, security, reboot_required, checked_at (when the system last counted). wanted: only servers with or without pending updates, security updates or a required reboot. Without a server: of at most 50 servers, see looked_at. reporting: servers whose system counts updates.',
    input: z.object({
      server: z.string().max(200).optional().describe('host name or server_id; default: all servers that report'),
      wanted: z.enum(UPDATE_FILTERS).optional(),
    }),
    async run({ server, wanted }, context) {
      const chosen = await chosenServer(context, server);
      const { servers, total } = await detailsOf(context, chosen?.id ?? null);
      const counted = servers.flatMap((one) => {
        const updates = one.hardware?.updates ?? null;
        if (updates === null) return [];
        const { pending, security, reboot_required: reboot, checked_at: at } = updates;
        return [
          {
            hostname: one.display_name ?? one.hostname,
            status: one.status,
            last_seen_at: one.last_seen_at,
            pending,
            security,
            reboot_required: reboot,
            checked_at: at === null ? null : iso(at),
          },
        ];
      });
      const found = counted
        .filter((one) => wanted === undefined || MATCHES[wanted](one))
        .toSorted((a, b) => (b.security ?? -1) - (a.security ?? -1) || (b.pending ?? -1) - (a.pending ?? -1));
      return {
        content: {
          servers: total,
          looked_at: servers.length,
          reporting: counted.length,
          total: found.length,
          updates: found.slice(0, MOST_ROWS),
        },
        sources: [chosen === null ? screens.servers() : screens.server(chosen.id, chosen.hostname)],
      };
    },
  }),
];
