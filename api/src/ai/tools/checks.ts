import { CHECK_STATUSES, checkAnswer, checksAnswer } from '@plimsoll/contract/wire/checks/checks';
import { maintenancesAnswer } from '@plimsoll/contract/wire/checks/maintenance';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { MOST_ROWS, tool } from './tool.ts';

/** Outages of one check that are worth a model's context. */
const MOST_OUTAGES = 10;

export const checkTools: readonly Tool[] = [
  tool({
    name: 'list_checks',
    description:
      'Lists checks (HTTP, TCP, DNS, TLS) and heartbeats of jobs, the worst first: status (up, down, unknown, paused) and since when, why it fails, response time, days until the certificate ends, check_id.',
    input: z.object({
      status: z.enum(CHECK_STATUSES).optional(),
      search: z.string().max(200).optional().describe('part of the name or the target'),
      by: z.enum(['worst', 'slowest']).default('worst').describe('slowest: by the time of the last answer'),
    }),
    async run({ status, search, by }, context) {
      const { checks, summary } = await context.read('/api/checks', checksAnswer, { query: { limit: 1000 } });
      const words = search?.toLowerCase() ?? '';
      const found = checks.filter(
        (check) =>
          (status === undefined || check.status === status) &&
          `${check.name} ${check.target}`.toLowerCase().includes(words),
      );
      const shown =
        by === 'slowest'
          ? found.filter(({ total_ms: ms }) => ms !== null).toSorted((a, b) => (b.total_ms ?? 0) - (a.total_ms ?? 0))
          : found;
      return {
        content: {
          total: found.length,
          summary,
          checks: shown.slice(0, MOST_ROWS).map(({ bars: _bars, is_enabled: _enabled, ...check }) => check),
        },
        sources: [screens.checks()],
      };
    },
  }),
  tool({
    name: 'list_maintenance',
    description:
      'Lists recurring maintenance: its schedule in words, the running period and the next ones, and the servers, checks and clusters whose alerts it silences. Read it to tell planned work from a failure.',
    input: z.object({}),
    async run(_input, context) {
      const { maintenance, total } = await context.read('/api/maintenance', maintenancesAnswer, {});
      const shown = maintenance.slice(0, MOST_ROWS).map(({ schedule: _schedule, created_by: _by, ...one }) => one);
      return { content: { total, maintenance: shown }, sources: [screens.silences()] };
    },
  }),
  tool({
    name: 'check_details',
    description:
      'Returns one check: votes of its places with reasons, availability of 1, 30 and 90 days (unknown time apart), its last outages, certificate, and the last call of a heartbeat.',
    input: z.object({ check_id: z.uuid() }),
    async run({ check_id: id }, context) {
      const { check } = await context.read('/api/checks/:id', checkAnswer, { params: { id } });
      const { days: _days, outages, probe: _probe, ...rest } = check;
      return {
        content: { check: { ...rest, outages: outages.slice(0, MOST_OUTAGES) } },
        sources: [screens.check(id, check.name)],
      };
    },
  }),
];
