import { hiddenPart, hiddenPartsAnswer, type HiddenPartsAnswer } from '@plimsoll/contract/wire/hidden-parts';
import { serverId } from '@plimsoll/contract/wire/query';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { iso } from '../http/units.ts';
import { requireServer } from '../servers/require-server.ts';
import { hidePart } from './hide-part.ts';
import { showPart } from './show-part.ts';
import type { HiddenPart } from './types.ts';

const path = '/api/servers/:id/hidden';
const tag = 'Servers';

const shape = (hidden: readonly HiddenPart[]): HiddenPartsAnswer => ({
  hidden: hidden.map(({ kind, subject, hiddenAt }) => ({ kind, subject, hidden_at: iso(hiddenAt) })),
});

export const hiddenPartRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Lists the hidden parts of a server: they neither alert nor count in its headroom',
      tag,
      params: { id: serverId },
      answer: hiddenPartsAnswer,
    },
    async ({ actor, params }) => {
      const found = await requireServer(deps.storage.servers, actor.owner, params.id);
      return shape(await deps.storage.hiddenParts.of(found));
    },
  ),
  defineRoute(
    {
      method: 'PUT',
      path,
      actor: 'user',
      summary: 'Hides a filesystem, an interface, a sensor or a container of a server',
      audit: 'part_hidden',
      tag,
      params: { id: serverId },
      body: hiddenPart,
      answer: hiddenPartsAnswer,
    },
    async ({ actor, params, body }) => shape(await hidePart(deps, actor, params.id, body)),
  ),
  defineRoute(
    {
      method: 'DELETE',
      path,
      actor: 'user',
      summary: 'Shows a hidden part of a server again',
      audit: 'part_shown',
      tag,
      params: { id: serverId },
      body: hiddenPart,
      answer: hiddenPartsAnswer,
    },
    async ({ actor, params, body }) => shape(await showPart(deps, actor, params.id, body)),
  ),
];
