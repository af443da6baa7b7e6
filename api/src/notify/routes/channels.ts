import { randomUUID } from 'node:crypto';
import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import { NOTIFY_LIMITS, type ChannelType } from '@plimsoll/contract/rules/notify';
import {
  channel as channelView,
  channelRequest,
  channelsAnswer,
  channelTestAnswer,
} from '@plimsoll/contract/wire/notify';
import { z } from 'zod';
import type { Owner } from '../../accounts/owner.ts';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Http, type Route, type SignedIn } from '../../http/define-route.ts';
import { refuseManaged } from '../../kubernetes/managed-object.ts';
import { readSettings, routingOf, secretEndsOf } from '../channel-input.ts';
import { openSecrets, sealSecrets } from '../channel-secrets.ts';
import { testNotification } from '../message.ts';
import { refusePrivate } from '../refuse-private.ts';
import type { ChannelEntry, ChannelState } from '../types.ts';
import { shapeChannel } from './shape-channel.ts';

const path = '/api/notify/channels';
const tag = 'Notifications';
/** Larger than any channel: a value that is too long is then refused by the name of its field. */
const BODY_BYTES = 2 * 1024 * 1024;
const params = { id: z.uuid('must be a channel id (a UUID)').toLowerCase() };

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

export async function requireChannel({ storage }: Deps, owner: Owner, id: string): Promise<ChannelState> {
  const state = await storage.notify.channels.get(owner, id);
  if (state === null) throw notFound('Channel');
  return state;
}

const auditChange = (
  deps: Deps,
  { actor, http }: { actor: SignedIn; http: Http },
  action: 'channel_created' | 'channel_changed' | 'channel_deleted',
  { id, name, type }: Pick<ChannelEntry, 'id' | 'name' | 'type'>,
): Promise<void> => audit(deps, http, actor.owner.accountId, action, { id, by: actor.accountId, name, type });

/** Checks and seals what a user writes; `stored` null: a new channel. */
const entryOf = async (
  deps: Deps,
  { type, name, settings, routing }: z.output<typeof channelRequest>,
  id: string,
  stored: ChannelState | null,
): Promise<ChannelEntry> => {
  const { secretBox, drivers } = deps;
  const kept = stored && (openSecrets(secretBox, id, stored.sealedSecrets) ?? {});
  const target = readSettings(type, settings, stored && { settings: stored.settings, secrets: kept ?? {} });
  await refusePrivate(type, target, deps.config.allowedPrivateRanges);
  const verdict = await drivers[type].check?.(target);
  if (verdict?.outcome === 'refused')
    throw new CodedError('invalid_parameter', `${checkedField(type)}: ${verdict.detail}`, {
      field: checkedField(type),
      remedy: 'Use the values that the provider shows.',
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

export const channelRoutes = (deps: Deps): Route[] => [
  listChannels(deps),
  createChannel(deps),
  updateChannel(deps),
  deleteChannel(deps),
  testChannel(deps),
];

const listChannels = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Channels that alerts are sent through, without their secrets',
      tag,
      answer: channelsAnswer,
    },
    async ({ actor }) => {
      const all = (await deps.storage.notify.channels.list(actor.owner)).map(shapeChannel);
      return { channels: all, total: all.length };
    },
  );

const createChannel = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'Add a channel',
      tag,
      body: channelRequest,
      bodyBytes: BODY_BYTES,
      answer: channelView,
    },
    async ({ actor, body, http }) => {
      if ((await deps.storage.notify.channels.list(actor.owner)).length >= NOTIFY_LIMITS.channels)
        throw new CodedError('plan_limit', `An account has at most ${String(NOTIFY_LIMITS.channels)} channels`, {
          remedy: 'Delete a channel first.',
        });
      const entry = await entryOf(deps, body, randomUUID(), null);
      await deps.storage.notify.channels.create(actor.owner, entry, deps.clock.now());
      await auditChange(deps, { actor, http }, 'channel_created', entry);
      return shapeChannel(await requireChannel(deps, actor.owner, entry.id));
    },
  );

const updateChannel = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Change a channel; a secret that is left out stays as it is',
      tag,
      params,
      body: channelRequest,
      bodyBytes: BODY_BYTES,
      answer: channelView,
    },
    async ({ actor, params: { id }, body, http }) => {
      const stored = await requireChannel(deps, actor.owner, id);
      requireUserChannel(stored);
      if (stored.type !== body.type)
        throw new CodedError('invalid_parameter', 'type: cannot change', {
          field: 'type',
          remedy: `Use ${stored.type}, or add another channel.`,
        });
      const entry = await entryOf(deps, body, id, stored);
      if (!(await deps.storage.notify.channels.update(actor.owner, entry, deps.clock.now()))) throw notFound('Channel');
      await auditChange(deps, { actor, http }, 'channel_changed', entry);
      return shapeChannel(await requireChannel(deps, actor.owner, id));
    },
  );

const deleteChannel = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Delete a channel with what waits in it',
      tag,
      params,
      answer: z.object({}),
    },
    async ({ actor, params: { id }, http }) => {
      const stored = await requireChannel(deps, actor.owner, id);
      requireUserChannel(stored);
      if (!(await deps.storage.notify.channels.delete(actor.owner, id))) throw notFound('Channel');
      await auditChange(deps, { actor, http }, 'channel_deleted', stored);
      return {};
    },
  );

const testChannel = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: `${path}/:id/test`,
      actor: 'user',
      summary: "Send a test message now; the answer is the provider's verdict",
      tag,
      params,
      answer: channelTestAnswer,
    },
    async ({ actor, params: { id } }) => {
      const { type, settings, sealedSecrets } = await requireChannel(deps, actor.owner, id);
      const secrets = openSecrets(deps.secretBox, id, sealedSecrets);
      if (secrets === null)
        return { outcome: 'refused' as const, detail: 'The stored secret cannot be read. Write it again.' };
      const target = { settings, secrets };
      const checked = await deps.drivers[type].check?.(target);
      if (checked !== undefined && checked.outcome !== 'delivered')
        return { outcome: checked.outcome, detail: checked.detail };
      const { outcome, detail } = await deps.drivers[type].send(
        target,
        testNotification(deps.config.publicUrl, deps.clock.now()),
      );
      return { outcome, detail };
    },
  );
