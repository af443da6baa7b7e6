import { SILENCE_STATUSES } from '@plimsoll/contract/rules/alert-acting';
import { ALERT_RULE_METRICS, REHEARSAL_DAYS } from '@plimsoll/contract/rules/alert-rule-limits';
import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import { alertRulesAnswer, rehearseAnswer } from '@plimsoll/contract/wire/alert-rules';
import { silencesAnswer } from '@plimsoll/contract/wire/alerts/alert-silences';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { requireNamed } from './named-server.ts';
import { MOST_ROWS, tool } from './tool.ts';

/** Silences that lie ahead, beside those that hold now. */
const MOST_PLANNED = 5;
type Silence = z.output<typeof silencesAnswer>['silences'][number];
const shortSilence = ({ text, starts_at: from, ends_at: until, comment, created_by: by }: Silence) => ({
  text,
  starts_at: from,
  ends_at: until,
  comment,
  created_by: by,
});

/** Alert rules, their rehearsal and silences. None changes anything. */
export const ruleTools: readonly Tool[] = [
  tool({
    name: 'alert_rules',
    description: 'Lists the alert rules: those that users wrote, and the defaults that hold where none is written.',
    input: z.object({ metric: z.enum(ALERT_RULE_METRICS).optional() }),
    async run({ metric }, { read }) {
      const { rules, total, defaults } = await read('/api/alerts/rules', alertRulesAnswer, { query: { limit: 100 } });
      const isAsked = (rule: { metric: string }): boolean => metric === undefined || rule.metric === metric;
      return {
        content: {
          total,
          rules: rules
            .filter(isAsked)
            .slice(0, MOST_ROWS)
            .map(({ rule_id: id, metric: of, text, target, enabled }) => ({
              rule_id: id,
              metric: of,
              text,
              target,
              enabled,
            })),
          defaults: defaults.filter(isAsked).map(({ metric: of, text }) => ({ metric: of, text })),
        },
        sources: [screens.rules()],
      };
    },
  }),
  tool({
    name: 'list_silences',
    description:
      'Lists silences: the alerts that each holds back, in words, its beginning, its end, its author and its reason. planned: those that begin later.',
    input: z.object({ status: z.enum(SILENCE_STATUSES).default('active') }),
    async run({ status }, { read }) {
      const { silences, total } = await read('/api/alerts/silences', silencesAnswer, {
        query: { status, limit: MOST_ROWS },
      });
      const planned =
        status === 'active'
          ? await read('/api/alerts/silences', silencesAnswer, { query: { status: 'pending', limit: MOST_PLANNED } })
          : null;
      return {
        content: {
          status,
          total,
          silences: silences.map(shortSilence),
          ...(planned !== null && { planned_total: planned.total, planned: planned.silences.map(shortSilence) }),
        },
        sources: [screens.silences()],
      };
    },
  }),
  tool({
    name: 'rehearse_rule',
    description:
      'Returns how often a threshold rule would have fired over the stored history, and how many messages it would have sent. Saves nothing.',
    input: z.object({
      metric: z.enum(ALERT_RULE_METRICS),
      threshold: z.number().describe('in the unit of the metric, see alert_rules'),
      level: z.enum(ALERT_LEVELS).default('warning'),
      for_minutes: z.number().min(0).max(1440).optional(),
      server: z.string().max(200).optional().describe('host name or server_id; default: all servers'),
      days: z.int().min(1).max(REHEARSAL_DAYS.max).default(REHEARSAL_DAYS.default),
    }),
    async run({ metric, threshold, level, for_minutes: minutes, server, days }, context) {
      const chosen = server === undefined || server === '' ? null : await requireNamed(context, server);
      const answer = await context.read('/api/alerts/rules/rehearse', rehearseAnswer, {
        body: {
          metric,
          ...(chosen === null ? { target: 'all' } : { target: 'server', server_id: chosen.id }),
          lines: [{ level, threshold }],
          ...(minutes !== undefined && { for_seconds: Math.round(minutes * 60) }),
          days,
        },
      });
      return {
        content: { ...answer, moments: answer.moments.slice(0, MOST_ROWS) },
        sources: [screens.rules()],
      };
    },
  }),
];
