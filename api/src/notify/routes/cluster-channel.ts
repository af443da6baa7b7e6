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
      const { channels } = deps.storage.notify;
      const { secretBox, clock, config } = deps;
      const state = await adoptClusterChannel(
        { channels, secretBox },
        { accountId, clusterKey, telegram: values },
        clock.now(),
      );
      if (state === 'created' || state === 'changed' || state === 'deleted')
        await audit(deps, http, accountId, AUDITED[state], { type: 'telegram', source: 'Helm values' });
      if (values !== null && (state === 'created' || state === 'changed')) {
        // The first message shows whoever installs the chart that the values work; its failure is in the next delivery.
        const target = { settings: { chat_id: values.chatId }, secrets: { bot_token: values.botToken } };
        const sent = await deps.drivers.telegram.send(target, testNotification(config.publicUrl, clock.now()));
        if (sent.outcome !== 'delivered')
          deps.log.warn({ detail: sent.detail }, 'test message of a cluster channel failed');
      }
      return { state };
    },
  ),
];
