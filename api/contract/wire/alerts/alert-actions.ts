import { z } from 'zod';
import { ACKNOWLEDGE_LIMITS, BULK_ACTIONS, BULK_LIMITS, BULK_OUTCOMES } from '../../rules/alert-acting.ts';
import { silenceEnd } from './alert-silences.ts';
import { alert } from './alerts.ts';

const note = z.string().trim().max(ACKNOWLEDGE_LIMITS.noteCharacters).nullable().optional();

/** POST /api/alerts/{id}/acknowledge. The body may be left out. */
export const acknowledgeRequest = z.strictObject({ note }).optional();
/** The answer of acknowledge and of unacknowledge. */
export const acknowledgeAnswer = z.object({ alert });

const alertIds = z
  .array(z.uuid('must be an alert id (a UUID)').toLowerCase())
  .min(1, 'must hold at least one alert id')
  .max(BULK_LIMITS.alerts, `must hold at most ${String(BULK_LIMITS.alerts)} alert ids`);

/**
 * POST /api/alerts/bulk. `silence` silences the key (server, rule and subject) of each alert. `undo` restores exactly
 * what the operation changed, within 10 minutes.
 */
export const bulkRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('acknowledge'), alert_ids: alertIds, note }),
  z.strictObject({ action: z.literal('unacknowledge'), alert_ids: alertIds }),
  z
    .strictObject({
      action: z.literal('silence'),
      alert_ids: alertIds,
      ...silenceEnd,
    })
    .refine(({ ends_at: end, duration_seconds: seconds }) => (end === undefined) !== (seconds === undefined), {
      path: ['ends_at'],
      message: 'or duration_seconds must be given, not both',
    }),
  z.strictObject({ action: z.literal('undo'), operation_id: z.uuid('must be an operation id (a UUID)').toLowerCase() }),
]);

export const bulkAnswer = z.object({
  /** The operation; for an undo, the one that was undone. */
  operation_id: z.uuid(),
  action: z.enum([...BULK_ACTIONS, 'undo']),
  /** One per alert id, in the order of the request. */
  outcomes: z.array(z.object({ alert_id: z.uuid(), outcome: z.enum(BULK_OUTCOMES) })),
  /** Number of outcomes that are `done`. */
  done: z.int(),
  /** `undo` is accepted until then; null: an undo cannot be undone. */
  undo_until: z.iso.datetime().nullable(),
});

export type BulkRequest = z.output<typeof bulkRequest>;
export type BulkAnswer = z.infer<typeof bulkAnswer>;
