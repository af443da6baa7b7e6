import { z } from 'zod';

/**
 * `POST /api/agent/v1/cluster/telegram` with the ClusterToken: the Telegram values of a release of the chart; null: the
 * release has none. The collector sends them when it begins to lead and when they change.
 */
export const clusterTelegram = z.strictObject({
  v: z.int(),
  telegram: z
    .strictObject({
      bot_token: z.string().trim().min(1).max(256),
      chat_id: z.string().trim().min(1).max(128),
    })
    .nullable(),
});
export const clusterTelegramAnswer = z.object({
  state: z.enum(['created', 'changed', 'unchanged', 'deleted', 'none']),
});

export type ClusterTelegram = z.infer<typeof clusterTelegram>;
