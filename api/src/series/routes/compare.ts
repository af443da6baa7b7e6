import { comparisonAnswer, SERIES_FIGURES } from '@plimsoll/contract/wire/metrics';
import { dates, hours, serverIds, wholeNumber } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { epochSeconds, rounded } from '../../http/units.ts';
import { fillBuckets } from '../buckets.ts';
import { bucketRange, todayOf } from '../range.ts';

const FEWEST_BUCKETS = 10;
/** 50 servers of so many buckets are one chart of the largest size. */
const MOST_BUCKETS = 100;

export const compareRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/metrics/compare',
      actor: 'user',
      summary: 'Returns one figure over time of several servers',
      tag: 'Metrics',
      query: {
        server_ids: serverIds,
        figure: z.enum(SERIES_FIGURES),
        hours,
        ...dates,
        buckets: wholeNumber(FEWEST_BUCKETS, MOST_BUCKETS).default(MOST_BUCKETS),
      },
      answer: comparisonAnswer,
    },
    async ({ actor: { owner }, query: { server_ids: ids, figure, ...asked } }) => {
      const buckets = bucketRange(asked, todayOf(deps));
      const { servers } = await deps.storage.servers.list(owner, { ids, limit: ids.length, offset: 0 });
      const own = new Set(servers.map(({ server }) => server.id));
      const shown = [...new Set(ids)].filter((id) => own.has(id));
      const found = await deps.storage.series.compare(owner, shown, figure, buckets);
      const rows = Map.groupBy(found, ({ serverId }) => serverId);
      return {
        from: epochSeconds(buckets.from),
        to: epochSeconds(buckets.to),
        bucket_seconds: buckets.bucketSeconds,
        servers: shown.map((id) => ({
          server_id: id,
          values: fillBuckets(rows.get(id) ?? [], buckets, (at) => ({ serverId: id, at, value: null })).map(
            ({ value }) => rounded(value),
          ),
        })),
      };
    },
  ),
];
