import { deliveriesAnswer } from '@plimsoll/contract/wire/notify';
import { page } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { requireChannel } from '../setup/require-channel.ts';

const tag = 'Notifications';

export const deliveryRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/notify/deliveries',
      actor: 'user',
      summary: 'The outcome of each attempt to send, newest first; kept for 30 days',
      tag,
      query: { ...page(), channel_id: z.uuid('must be a channel id (a UUID)').toLowerCase().optional() },
      answer: deliveriesAnswer,
    },
    async ({ actor, query }) => {
      const { channel_id: channelId, ...cut } = query;
      if (channelId !== undefined) await requireChannel(deps.storage.notify.channels, actor.owner, channelId);
      const found = await deps.storage.notify.deliveries.list(
        actor.owner,
        channelId === undefined ? {} : { channelId },
        cut,
      );
      return {
        deliveries: found.deliveries.map((one) => ({
          id: one.id,
          channel_id: one.channelId,
          channel_name: one.channelName,
          type: one.type,
          at: iso(one.at),
          outcome: one.outcome,
          detail: one.detail,
          hostname: one.hostname,
          alert_ids: one.alertIds,
          attempt: one.attempt,
        })),
        total: found.total,
      };
    },
  ),
];
