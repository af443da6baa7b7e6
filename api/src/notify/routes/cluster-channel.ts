import { clusterTelegram, clusterTelegramAnswer } from '@plimsoll/contract/wire/cluster-channel';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { collectorActor } from '../../kubernetes/collector-actor.ts';
import { ownerOf } from '../../tenancy/owner.ts';
import { adoptClusterChannel } from '../cluster-channel.ts';

/** The first report of a collector binds its token to the cluster. */
const RETRY_SECONDS = 10;

/** The Telegram values of a release that installs collectors only. */
export const clusterChannelRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'POST',
      path: '/api/agent/v1/cluster/telegram',
      actor: 'cluster',
      summary: 'Creates, changes or deletes the Telegram channel of a cluster from the values of its Helm release',
      audit: ['channel_created', 'channel_changed', 'channel_deleted'],
      tag: 'Agent',
      body: clusterTelegram,
      answer: clusterTelegramAnswer,
      bare: true,
    },
    async ({ actor, http, body }) => {
      const { organisationId, clusterKey } = actor.cluster;
      if (organisationId === null || clusterKey === null)
        throw new CodedError('node_not_known_yet', 'No report of this cluster has arrived yet, or nobody owns it', {
          remedy: 'Try again in some seconds.',
          retryAfterSeconds: RETRY_SECONDS,
        });
      const { telegram } = body;
      const values = telegram && { botToken: telegram.bot_token, chatId: telegram.chat_id };
      const by = collectorActor(actor.cluster, organisationId, http.get('clientAddress'));
      const caller = { owner: ownerOf(organisationId), by };
      return { state: await adoptClusterChannel(deps, caller, clusterKey, values) };
    },
  ),
];
