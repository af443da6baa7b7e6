import {
  silenceAnswer,
  silenceRequest,
  silencesAnswer,
  silencesQuery,
  type SilenceOnWire,
  type SilenceRequest,
} from '@plimsoll/contract/wire/alerts/alert-silences';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { shapeObject } from '../../kubernetes/managed-object.ts';
import { given } from '@plimsoll/contract/rules/given';
import { isActive, silenceText, type Silence } from '../silence-match.ts';
import { createSilence } from '../silences/create-silence.ts';
import { requestedMatcher } from '../silences/requested-matcher.ts';
import { deleteSilence } from '../silences/delete-silence.ts';
import type { SilenceInput } from '../silences/silence-input.ts';
import { updateSilence } from '../silences/update-silence.ts';

const tag = 'Alerts';
const path = '/api/alerts/silences';
const params = { id: z.uuid('must be the id of a silence (a UUID)').toLowerCase() };

const shapeSilence = (silence: Silence, now: number): SilenceOnWire => ({
  silence_id: silence.id,
  server_id: silence.serverId,
  hostname: silence.hostname,
  tag_key: silence.tagKey,
  tag_value: silence.tagValue,
  metric: silence.metric,
  rule_id: silence.rule,
  subject: silence.subject,
  cluster_id: silence.clusterId,
  namespace: silence.namespace,
  text: silenceText(silence),
  starts_at: iso(silence.startsAt),
  ends_at: iso(silence.endsAt),
  status: isActive(silence, now) ? 'active' : silence.endsAt <= now ? 'expired' : 'pending',
  comment: silence.comment,
  created_by: silence.createdBy,
  created_at: iso(silence.createdAt),
  updated_at: iso(silence.updatedAt),
  object: shapeObject('Silence', silence.object),
});

/** An alert stands in place of a matcher. */
const inputOf = (body: SilenceRequest): SilenceInput => ({
  of: typeof body.alert_id === 'string' ? { alertId: body.alert_id } : requestedMatcher(body),
  period: { startsAt: body.starts_at, endsAt: body.ends_at, durationSeconds: body.duration_seconds },
  comment: body.comment,
});

export const silenceRoutes = (deps: Deps): Route[] => [listSilences(deps), create(deps), update(deps), remove(deps)];

const listSilences = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Silences: active ones first, then pending, then expired',
      tag,
      query: silencesQuery,
      answer: silencesAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const { silences, total } = await storage.silences.list(actor.owner, given('status', query.status), query, now);
      return { silences: silences.map((silence) => shapeSilence(silence, now)), total };
    },
  );

const create = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'Silence alerts until a time: they are computed and listed, but not sent',
      audit: 'silence_created',
      tag,
      body: silenceRequest,
      answer: silenceAnswer,
    },
    async ({ actor, body }) => {
      const silence = await createSilence(deps, actor, inputOf(body));
      return { silence: shapeSilence(silence, deps.clock.now()) };
    },
  );

const update = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Replace a silence; alerts it no longer matches are sent at once',
      audit: 'silence_changed',
      tag,
      params,
      body: silenceRequest,
      answer: silenceAnswer,
    },
    async ({ actor, params: { id }, body }) => {
      const silence = await updateSilence(deps, actor, id, inputOf(body));
      return { silence: shapeSilence(silence, deps.clock.now()) };
    },
  );

const remove = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'End a silence; alerts that still fire are sent at once',
      audit: 'silence_deleted',
      tag,
      params,
      answer: z.object({}),
    },
    async ({ actor, params: { id } }) => {
      await deleteSilence(deps, actor, id);
      return {};
    },
  );
