import {
  silenceAnswer,
  silenceRequest,
  silencesAnswer,
  silencesQuery,
  type SilenceOnWire,
  type SilenceRequest,
} from '@plimsoll/contract/wire/alert-silences';
import { z } from 'zod';
import type { Owner } from '../../accounts/owner.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { audit, type AuditAction } from '../../http/audit.ts';
import { defineRoute, type Http, type Route, type SignedIn } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { refuseManaged, shapeObject } from '../../kubernetes/managed-object.ts';
import { given, requireServer } from '../../series/range.ts';
import { isActive, silenceText, type Silence, type SilenceDraft, type SilenceMatcher } from '../silence-match.ts';
import { silencePeriod } from '../silence-period.ts';
import { requireRoomForSilences } from './actions.ts';

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

/** A silence that names a server, cluster or alert of another account answers as one that names an unknown one. */
async function matcherOf(deps: Deps, owner: Owner, body: SilenceRequest): Promise<SilenceMatcher> {
  const { storage, clock } = deps;
  const none = { tagKey: null, tagValue: null, metric: null, clusterId: null, namespace: null };
  if (typeof body.alert_id === 'string') {
    const alert = await storage.alerts.get(owner, body.alert_id, clock.now());
    if (alert === null) throw notFound('Alert');
    const { serverId, cluster, rule, subject } = alert;
    return { ...none, serverId, clusterId: cluster?.clusterId ?? null, rule, subject };
  }
  const { server_id: serverId = null, cluster_id: clusterId = null } = body;
  if (serverId !== null) await requireServer(storage.servers, owner, serverId);
  if (clusterId !== null && !(await storage.kubernetes.views.clusters(owner)).some(({ id }) => id === clusterId))
    throw notFound('Cluster');
  return {
    serverId,
    tagKey: body.tag_key ?? null,
    tagValue: body.tag_value ?? null,
    metric: body.metric ?? null,
    rule: body.rule_id ?? null,
    subject: body.subject ?? null,
    clusterId,
    namespace: body.namespace ?? null,
  };
}

async function draftOf(deps: Deps, owner: Owner, body: SilenceRequest, stored: Silence | null): Promise<SilenceDraft> {
  const { starts_at: startsAt, ends_at: endsAt, duration_seconds: durationSeconds, comment } = body;
  const period = silencePeriod({ startsAt, endsAt, durationSeconds }, deps.clock.now(), stored?.startsAt ?? null);
  return { ...(await matcherOf(deps, owner, body)), ...period, comment };
}

/** Every alert may be shown differently now, so screens reload them. */
async function applyChange(
  deps: Deps,
  { actor, http }: { actor: SignedIn; http: Http },
  action: AuditAction,
  silence: Silence,
): Promise<void> {
  const detail = { id: silence.id, by: actor.accountId, silence: silenceText(silence), ends_at: iso(silence.endsAt) };
  await audit(deps, http, actor.owner.accountId, action, detail);
  deps.changes.publish(actor.owner.accountId, { topic: 'alerts', serverId: null });
}

export const silenceRoutes = (deps: Deps): Route[] => [
  listSilences(deps),
  createSilence(deps),
  updateSilence(deps),
  deleteSilence(deps),
];

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

const createSilence = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'Silence alerts until a time: they are computed and listed, but not sent',
      tag,
      body: silenceRequest,
      answer: silenceAnswer,
    },
    async ({ actor, http, body }) => {
      const now = deps.clock.now();
      const draft = await draftOf(deps, actor.owner, body, null);
      await requireRoomForSilences(deps, actor.owner, 1, now);
      const silence = await deps.storage.silences.create(actor.owner, draft, { self: actor.self, now });
      await applyChange(deps, { actor, http }, 'silence_created', silence);
      return { silence: shapeSilence(silence, now) };
    },
  );

const updateSilence = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'Replace a silence; alerts it no longer matches are sent at once',
      tag,
      params,
      body: silenceRequest,
      answer: silenceAnswer,
    },
    async ({ actor, http, params: { id }, body }) => {
      const { silences } = deps.storage;
      const now = deps.clock.now();
      const stored = await silences.get(actor.owner, id);
      if (stored === null) throw notFound('Silence');
      refuseManaged('Silence', stored.object);
      const silence = await silences.update(actor.owner, id, await draftOf(deps, actor.owner, body, stored), now);
      if (silence === null) throw notFound('Silence');
      await applyChange(deps, { actor, http }, 'silence_changed', silence);
      return { silence: shapeSilence(silence, now) };
    },
  );

const deleteSilence = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:id`,
      actor: 'user',
      summary: 'End a silence; alerts that still fire are sent at once',
      tag,
      params,
      answer: z.object({}),
    },
    async ({ actor, http, params: { id } }) => {
      const { silences } = deps.storage;
      const by = { self: actor.self, now: deps.clock.now() };
      const stored = await silences.get(actor.owner, id);
      refuseManaged('Silence', stored?.object ?? null);
      if (stored === null || !(await silences.delete(actor.owner, id, by))) throw notFound('Silence');
      await applyChange(deps, { actor, http }, 'silence_deleted', stored);
      return {};
    },
  );
