import { clusterTelegram, clusterTelegramAnswer } from '@plimsoll/contract/wire/cluster-channel';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { adoptClusterChannel } from '../cluster-channel.ts';
import { testNotification } from '../message.ts';

/** The first report of a collector binds its token to the cluster. */
const RETRY_SECONDS = 10;
const AUDITED = { created: 'channel_created', changed: 'channel_changed', deleted: 'channel_deleted' } as const;

/** The Telegram values of a release that installs collectors only. */
export const clusterChannelRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/telegram',
      actor: 'cluster',
      summary: 'Creates, changes or deletes the Telegram channel of a cluster from the values of its Helm release',
      tag: 'Agent',
      body: clusterTelegram,
      answer: clusterTelegramAnswer,
      bare: true,
    },
    async ({ actor, http, body }) => {
      const { accountId, clusterKey } = actor.cluster;
      if (accountId === null || clusterKey === null)
        throw new CodedError('node_not_known_yet', 'No report of this cluster has arrived yet, or nobody owns it', {
          remedy: 'Try again in some seconds.',
          retryAfterSeconds: RETRY_SECONDS,
        });
      const { telegram } = body;
      const values = telegram && { botToken: telegram.bot_token, chatId: telegram.chat_id };
      const { channels, deliveries } = deps.storage.notify;
      const { secretBox, clock, config } = deps;
      const change = await adoptClusterChannel(
        { channels, secretBox },
        { accountId, clusterKey, telegram: values },
        clock.now(),
      );
      const { state } = change;
      if (state === 'created' || state === 'changed' || state === 'deleted')
        await audit(deps, http, accountId, AUDITED[state], { type: 'telegram', source: 'Helm values' });
      if (values !== null && 'channelId' in change) {
        // Whoever installs the chart sees that the values work: in the chat, or in the row of the channel.
        const target = { settings: { chat_id: values.chatId }, secrets: { bot_token: values.botToken } };
        const message = testNotification(config.publicUrl, clock.now());
        const { outcome, detail } = await deps.drivers.telegram.send(target, message);
        await deliveries.log(change.channelId, { at: clock.now(), outcome, detail, about: 'Test message' });
        if (outcome !== 'delivered') deps.log.warn({ detail }, 'test message of a cluster channel failed');
      }
      return { state };
    },
  ),
];
