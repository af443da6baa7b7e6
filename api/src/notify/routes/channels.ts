import {
  channel as channelView,
  channelRequest,
  channelsAnswer,
  channelTestAnswer,
} from '@plimsoll/contract/wire/notify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { changeChannel } from '../setup/change-channel.ts';
import { createChannel } from '../setup/create-channel.ts';
import { deleteChannel } from '../setup/delete-channel.ts';
import { testChannel } from '../setup/test-channel.ts';
import { shapeChannel } from './shape-channel.ts';

const path = '/api/notify/channels';
const tag = 'Notifications';
/** Larger than any channel: a value that is too long is then refused by the name of its field. */
const BODY_BYTES = 2 * 1024 * 1024;
const params = { id: z.uuid('must be a channel id (a UUID)').toLowerCase() };

export const channelRoutes = (deps: Deps): Route[] => [
  listChannels(deps),
  createRoute(deps),
  updateRoute(deps),
  deleteRoute(deps),
  testRoute(deps),
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
      return { channels: all, total: all.length, messages_link: deps.config.publicUrl !== null };
    },
  );

const createRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'Add a channel',
      audit: 'channel_created',
      tag,
      body: channelRequest,
      bodyBytes: BODY_BYTES,
      answer: channelView,
    },
    async ({ actor, body }) => shapeChannel(await createChannel(deps, actor, body)),
  );

const updateRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Change a channel; a secret that is left out stays as it is',
      audit: 'channel_changed',
      tag,
      params,
      body: channelRequest,
      bodyBytes: BODY_BYTES,
      answer: channelView,
    },
    async ({ actor, params: { id }, body }) => shapeChannel(await changeChannel(deps, actor, id, body)),
  );

const deleteRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Delete a channel with what waits in it',
      audit: 'channel_deleted',
      tag,
      params,
      answer: z.object({}),
    },
    async ({ actor, params: { id } }) => {
      await deleteChannel(deps, actor, id);
      return {};
    },
  );

const testRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: `${path}/:id/test`,
      actor: 'user',
      summary: "Send a test message now; the answer is the provider's verdict",
      // A Telegram group that became a supergroup gives the channel a new chat id.
      audit: 'channel_changed',
      tag,
      params,
      answer: channelTestAnswer,
    },
    async ({ actor, params: { id } }) => testChannel(deps, actor, id),
  );
