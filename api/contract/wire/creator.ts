import { z } from 'zod';

/**
 * The author of a token, an invitation or a status page. null: unknown, because an earlier version did not store it.
 * `account_id` null: Plimsoll itself. `name` null: the account is deleted.
 */
export const creator = z.object({ account_id: z.uuid().nullable(), name: z.string().nullable() }).nullable();

export type CreatorOnWire = z.infer<typeof creator>;
