import { SPARK_LIMITS } from '@plimsoll/contract/rules/limits';
import { sparksAnswer, type SparksAnswer } from '@plimsoll/contract/wire/metrics';
import { hours, serverIds, wholeNumber } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { fillBuckets, recentBuckets } from '../buckets.ts';
import { serverHeadroom } from '../../alerts/load-lines.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { requireHistory } from '../../accounts/plans.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import type { SparkAsked } from '../types.ts';
import { todayOf } from '../range.ts';
import { epochSeconds, rounded } from '../../http/units.ts';

const HOURS_A_DAY = 24;
const { default: DEFAULT, min: FEWEST, max: MOST } = SPARK_LIMITS.buckets;

/** Returns the resource nearest its load line, as the headroom uses it, of each of the owner's servers among `ids` that has a line. */
async function nearestOf({ storage, alertRules }: Deps, owner: Owner, ids: readonly string[]): Promise<SparkAsked[]> {
  const rules = await alertRules.of(owner.organisationId);
  const found = await storage.servers.list(owner, { ids, limit: ids.length, offset: 0 });
  return found.servers.flatMap(({ server, latest }) => {
    const resource = serverHeadroom(latest, rules.of(server.id).lines)?.resource;
    return resource === undefined ? [] : [{ serverId: server.id, resource }];
  });
}

async function sparksOf(
  deps: Deps,
  owner: Owner,
  query: { server_ids: readonly string[]; hours: number; buckets: number },
): Promise<SparksAnswer> {
  const { now, plan } = todayOf(deps);
  requireHistory(plan, query.hours / HOURS_A_DAY);
  const buckets = recentBuckets(now, query.hours, query.buckets);
  const asked = await nearestOf(deps, owner, query.server_ids);
  const rows = Map.groupBy(await deps.storage.series.sparks(owner, asked, buckets), ({ serverId }) => serverId);
  return {
    from: epochSeconds(buckets.from),
    to: epochSeconds(buckets.to),
    bucket_seconds: buckets.bucketSeconds,
    sparks: asked.map(({ serverId, resource }) => ({
      server_id: serverId,
      resource,
      values: fillBuckets(rows.get(serverId) ?? [], buckets, (at) => ({ serverId, at, value: null })).map(({ value }) =>
        rounded(value),
      ),
    })),
  };
}

export const sparkRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/metrics/sparks',
      actor: 'user',
      summary: 'Returns a small chart per server: the resource nearest to its load line',
      tag: 'Metrics',
      query: { server_ids: serverIds, hours, buckets: wholeNumber(FEWEST, MOST).default(DEFAULT) },
      answer: sparksAnswer,
    },
    ({ actor: { owner }, query }) => sparksOf(deps, owner, query),
  ),
];
