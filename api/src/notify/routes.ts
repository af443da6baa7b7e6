import { randomUUID } from 'node:crypto';
import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import { NOTIFY_LIMITS, type ChannelType } from '@plimsoll/contract/rules/notify';
import {
  channel as channelView,
  channelRequest,
  channelsAnswer,
  channelTestAnswer,
  deliveriesAnswer,
  type ChannelView,
  type RoutingView,
} from '@plimsoll/contract/wire/notify';
import { page } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Owner } from '../accounts/owner.ts';
import type { Deps } from '../deps.ts';
import { CodedError, notFound } from '../errors.ts';
import { audit } from '../http/audit.ts';
import { defineRoute, type Http, type Route, type SignedIn } from '../http/define-route.ts';
import { iso } from '../http/units.ts';
import { refuseManaged, shapeObject } from '../kubernetes/managed-object.ts';
import { readSettings, routingOf, secretEndsOf } from './channel-input.ts';
import { openSecrets, sealSecrets } from './channel-secrets.ts';
import { testNotification } from './message.ts';
import type { ChannelEntry, ChannelState, Routing } from './types.ts';

const tag = 'Notifications';
const params = { id: z.uuid('must be a channel id (a UUID)').toLowerCase() };

const shapeRouting = ({ levels, tags, quietHours: quiet, repeatMinutes }: Routing): RoutingView => ({
  levels: [...levels],
  tags: { ...tags },
  quiet_hours: quiet && {
    from: quiet.from,
    to: quiet.to,
    time_zone: quiet.timeZone,
    critical_passes: quiet.criticalPasses,
  },
  repeat_minutes: repeatMinutes,
});
const shapeChannel = (state: ChannelState): ChannelView => ({
  id: state.id,
  type: state.type,
  name: state.name,
  settings: { ...state.settings },
  secrets: { ...state.secretEnds },
  routing: shapeRouting(state.routing),
  managed_by: state.managedBy,
  object: shapeObject('NotificationChannel', state.object),
  created_at: iso(state.createdAt),
  updated_at: iso(state.updatedAt),
  waiting: state.waiting,
  last_delivery: state.lastDelivery && { ...state.lastDelivery, at: iso(state.lastDelivery.at) },
});

function requireUserChannel({ managedBy, object }: ChannelState): void {
  refuseManaged('NotificationChannel', object);
  if (managedBy !== 'user')
    throw new CodedError(
      'channel_managed',
      'The environment of the API or the Helm values of a cluster manage this channel',
      {
        remedy: 'Change TELEGRAM_BOT_TOKEN or TELEGRAM_CHAT_ID and restart the API, or change the Helm values.',
      },
    );
}

/** A provider checks who sends: the field is the secret. */
const checkedField = (type: ChannelType): string => {
  const secret = Object.entries(CHANNEL_FORMS[type].fields).find(([, { isSecret }]) => isSecret);
  return secret === undefined ? 'settings' : `settings.${secret[0]}`;
};

export const notifyRoutes = (deps: Deps): Route[] => {
  const { storage, secretBox, drivers, config, clock } = deps;
  const { channels, deliveries } = storage.notify;
  const require = async (owner: Owner, id: string): Promise<ChannelState> => {
    const state = await channels.get(owner, id);
    if (state === null) throw notFound('Channel');
    return state;
  };
  const auditChange = (
    { actor, http }: { actor: SignedIn; http: Http },
    action: 'channel_created' | 'channel_changed' | 'channel_deleted',
    { id, name, type }: Pick<ChannelEntry, 'id' | 'name' | 'type'>,
  ): Promise<void> => audit(deps, http, actor.owner.accountId, action, { id, by: actor.accountId, name, type });
  /** Checks and seals what a user writes; `stored` null: a new channel. */
  const entryOf = async (
    { type, name, settings, routing }: z.output<typeof channelRequest>,
    id: string,
    stored: ChannelState | null,
  ): Promise<ChannelEntry> => {
    const kept = stored && (openSecrets(secretBox, id, stored.sealedSecrets) ?? {});
    const target = readSettings(type, settings, stored && { settings: stored.settings, secrets: kept ?? {} });
    const verdict = await drivers[type].check?.(target);
    if (verdict?.outcome === 'refused')
      throw new CodedError('invalid_parameter', `${checkedField(type)}: ${verdict.detail}`, {
        field: checkedField(type),
        remedy: 'Send the values that the provider shows.',
      });
    return {
      id,
      type,
      name,
      settings: target.settings,
      sealedSecrets: sealSecrets(secretBox, id, target.secrets),
      secretEnds: secretEndsOf(target.secrets),
      routing: routingOf(routing),
    };
  };
  return [
    defineRoute(
      {
        method: 'GET',
        path: '/api/notify/channels',
        actor: 'user',
        summary: 'Channels that alerts are sent through, without their secrets',
        tag,
        answer: channelsAnswer,
      },
      async ({ actor }) => {
        const all = (await channels.list(actor.owner)).map(shapeChannel);
        return { channels: all, total: all.length };
      },
    ),
    defineRoute(
      {
        method: 'POST',
        path: '/api/notify/channels',
        actor: 'user',
        summary: 'Add a channel',
        tag,
        body: channelRequest,
        answer: channelView,
      },
      async ({ actor, body, http }) => {
        if ((await channels.list(actor.owner)).length >= NOTIFY_LIMITS.channels)
          throw new CodedError('plan_limit', `An account has at most ${String(NOTIFY_LIMITS.channels)} channels`, {
            remedy: 'Delete a channel first.',
          });
        const entry = await entryOf(body, randomUUID(), null);
        await channels.create(actor.owner, entry, clock.now());
        await auditChange({ actor, http }, 'channel_created', entry);
        return shapeChannel(await require(actor.owner, entry.id));
      },
    ),
    defineRoute(
      {
        method: 'PUT',
        path: '/api/notify/channels/:id',
        actor: 'user',
        summary: 'Change a channel; a secret that is left out stays as it is',
        tag,
        params,
        body: channelRequest,
        answer: channelView,
      },
      async ({ actor, params: { id }, body, http }) => {
        const stored = await require(actor.owner, id);
        requireUserChannel(stored);
        if (stored.type !== body.type)
          throw new CodedError('invalid_parameter', 'type: cannot change', {
            field: 'type',
            remedy: `Use ${stored.type}, or add another channel.`,
          });
        const entry = await entryOf(body, id, stored);
        if (!(await channels.update(actor.owner, entry, clock.now()))) throw notFound('Channel');
        await auditChange({ actor, http }, 'channel_changed', entry);
        return shapeChannel(await require(actor.owner, id));
      },
    ),
    defineRoute(
      {
        method: 'DELETE',
        path: '/api/notify/channels/:id',
        actor: 'user',
        summary: 'Delete a channel with what waits in it',
        tag,
        params,
        answer: z.object({}),
      },
      async ({ actor, params: { id }, http }) => {
        const stored = await require(actor.owner, id);
        requireUserChannel(stored);
        if (!(await channels.delete(actor.owner, id))) throw notFound('Channel');
        await auditChange({ actor, http }, 'channel_deleted', stored);
        return {};
      },
    ),
    defineRoute(
      {
        method: 'POST',
        path: '/api/notify/channels/:id/test',
        actor: 'user',
        summary: "Send a test message now; the answer is the provider's verdict",
        tag,
        params,
        answer: channelTestAnswer,
      },
      async ({ actor, params: { id } }) => {
        const { type, settings, sealedSecrets } = await require(actor.owner, id);
        const secrets = openSecrets(secretBox, id, sealedSecrets);
        if (secrets === null)
          return { outcome: 'refused' as const, detail: 'The stored secret cannot be read. Write it again.' };
        const target = { settings, secrets };
        const checked = await drivers[type].check?.(target);
        if (checked !== undefined && checked.outcome !== 'delivered')
          return { outcome: checked.outcome, detail: checked.detail };
        const { outcome, detail } = await drivers[type].send(target, testNotification(config.publicUrl, clock.now()));
        return { outcome, detail };
      },
    ),
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
        if (channelId !== undefined) await require(actor.owner, channelId);
        const found = await deliveries.list(actor.owner, channelId === undefined ? {} : { channelId }, cut);
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
};
