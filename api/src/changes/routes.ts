import {
  changesAnswer,
  changesBeforeAnswer,
  deployMark,
  deployMarkAnswer,
  describedStatesAnswer,
  type Change,
} from '@plimsoll/contract/wire/changes';
import { CHANGE_LIMITS, CHANGE_SOURCES } from '@plimsoll/contract/rules/changes';
import { dates, moment, page, scope, serverId, wholeNumber } from '@plimsoll/contract/wire/query';
import type { Scope } from '@plimsoll/contract/rules/scope';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { iso } from '../http/units.ts';
import { clusterScopeOf } from '../kubernetes/cluster-scope.ts';
import { given } from '@plimsoll/contract/rules/given';
import { pastFilter } from '../servers/list-filter.ts';
import { todayOf } from '../series/range.ts';
import { requireServer } from '../servers/require-server.ts';
import { serversInScope } from '../servers/scope.ts';
import type { Owner } from '../tenancy/owner.ts';
import { addDeployMark } from './add-deploy-mark.ts';
import { rankChanges } from './rank-changes.ts';
import type { ChangeFilter, ChangePlace, ChangeRecord } from './types.ts';

const tag = 'Changes';

const shape = ({ changedBy, clusterId, clusterName, serverId: server, at, ...record }: ChangeRecord): Change => ({
  ...record,
  at: iso(at),
  by: changedBy,
  cluster_id: clusterId,
  cluster_name: clusterName,
  server_id: server,
});

/** Each part that is given must match. `kind`: Deployment, Service, Node …; packages, units … of a host; rule, silence … */
const place = {
  server_id: serverId.optional().meta({ description: 'Only changes of this server' }),
  cluster_id: z.string().min(1).max(128).optional(),
  namespace: z.string().min(1).max(253).optional(),
  kind: z.string().min(1).max(253).optional(),
  name: z.string().min(1).max(253).optional(),
};

interface AskedPlace {
  server_id?: string | undefined;
  cluster_id?: string | undefined;
  namespace?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
}
const placeOf = ({ server_id, cluster_id, namespace, kind, name }: AskedPlace): ChangePlace => ({
  ...given('serverId', server_id),
  ...given('clusterId', cluster_id),
  ...given('namespace', namespace),
  ...given('kind', kind),
  ...given('name', name),
});

/** The servers and clusters of a scope. Without a scope, marks and rules of the organisation are listed too. */
async function scopeOf(
  { storage, clock }: Deps,
  owner: Owner,
  asked: Scope | undefined,
): Promise<Pick<ChangeFilter, 'scope'>> {
  if (asked === undefined || asked.length === 0) return {};
  const now = clock.now();
  const [nodes, facts, servers] = await Promise.all([
    storage.kubernetes.views.nodeFacts(owner),
    storage.servers.scopeFacts(owner),
    serversInScope(storage.servers, owner, asked, now),
  ]);
  const { clusters } = clusterScopeOf(nodes, facts, asked, now);
  return { scope: { servers: servers ?? facts.map(({ key }) => key), clusters } };
}

const listRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/changes',
      actor: 'user',
      summary: 'Lists what changed on hosts, in clusters and in Plimsoll, and deploy marks, newest first',
      tag,
      query: {
        ...page(),
        ...dates,
        ...place,
        scope: scope.optional(),
        source: z.enum(CHANGE_SOURCES).optional().meta({ description: 'Only changes of this source' }),
        /** A part of the title or the name. */
        q: z.string().max(200).default(''),
      },
      answer: changesAnswer,
    },
    async ({ actor, query }) => {
      if (query.server_id !== undefined) await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const { from, to } = pastFilter(query, todayOf(deps));
      const filter: ChangeFilter = {
        ...placeOf(query),
        ...given('from', from),
        ...given('to', to),
        ...given('source', query.source),
        ...given('search', query.q.trim() === '' ? undefined : query.q.trim()),
        ...(await scopeOf(deps, actor.owner, query.scope)),
      };
      const { changes, total, isMore } = await deps.storage.changeLedger.list(actor.owner, filter, query);
      return { changes: changes.map(shape), total, is_more: isMore };
    },
  );

/** Read before they are ranked. */
const MOST_READ = 300;

const beforeRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/changes/before',
      actor: 'user',
      summary: 'Lists what changed before a moment, the likeliest to explain it first',
      tag,
      query: {
        ...place,
        until: moment.meta({
          description: 'The moment at which something went wrong. ISO 8601 with a time zone, or epoch seconds.',
        }),
        minutes: wholeNumber(1, 1440).default(30).meta({ description: 'Minutes before it that count' }),
      },
      answer: changesBeforeAnswer,
    },
    async ({ actor, query }) => {
      const { server_id: server, cluster_id: cluster } = query;
      if (server === undefined && cluster === undefined)
        throw new CodedError('invalid_parameter', 'server_id: is missing', {
          field: 'server_id',
          remedy: 'Pass server_id or cluster_id.',
        });
      if (server !== undefined) await requireServer(deps.storage.servers, actor.owner, server);
      const to = query.until;
      const from = to - query.minutes * 60_000;
      pastFilter({ start_date: from, end_date: to }, todayOf(deps));
      const { changes } = await deps.storage.changeLedger.list(
        actor.owner,
        { from, to: to + 1 },
        { limit: MOST_READ, offset: 0 },
      );
      const ranked = rankChanges(changes, { ...placeOf(query), at: to });
      return {
        changes: ranked.map(({ why, ...change }) => ({ ...shape(change), why })),
        from: iso(from),
        to: iso(to),
      };
    },
  );

/** Namespaces and objects of one call. */
const MOST_NAMESPACES = 20;
const MOST_STATES = 5000;
const MOST_KINDS = 30;
/** Returns the form of a list of names that are separated by commas. */
const namesUpTo = (most: number, characters: number) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',') : value),
      z
        .array(z.string().max(characters, `must be at most ${String(characters)} characters`))
        .max(most, `must be at most ${String(most)} names`),
    )
    .meta({ wire: { type: 'array', items: { type: 'string', maxLength: characters }, maxItems: most } });
/** Objects without a namespace are always listed. Left out: all namespaces. */
const namespaceNames = namesUpTo(MOST_NAMESPACES, 63);
const kindNames = namesUpTo(MOST_KINDS, 64);
const statesRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/changes/states',
      actor: 'user',
      summary: 'Lists the present states of the objects of a cluster that the ledger compares',
      tag,
      query: {
        cluster_id: z.string().min(1).max(128),
        namespaces: namespaceNames.optional(),
        kinds: kindNames.optional(),
        limit: wholeNumber(1, MOST_STATES).default(MOST_STATES),
      },
      answer: describedStatesAnswer,
    },
    async ({ actor, query }) => ({
      objects: await deps.storage.changeLedger.listStates(actor.owner, {
        clusterId: query.cluster_id,
        namespaces: query.namespaces ?? null,
        kinds: query.kinds ?? null,
        limit: query.limit,
      }),
    }),
  );

export const changeRoutes = (deps: Deps): Route[] => [
  beforeRoute(deps),
  listRoute(deps),
  statesRoute(deps),
  defineRoute(
    {
      method: 'POST',
      path: '/api/changes',
      actor: 'user',
      scope: 'changes',
      summary: 'Adds a deploy mark; the same key twice is one mark',
      audit: null,
      notAudited: 'The mark is an entry of a log itself.',
      tag,
      body: deployMark,
      bodyBytes: CHANGE_LIMITS.markBytes,
      answer: deployMarkAnswer,
    },
    async ({ actor, body }) => {
      deps.rates.deployMarks.require(actor.owner.organisationId, deps.clock.now());
      return addDeployMark(deps, actor.owner, body);
    },
  ),
];
