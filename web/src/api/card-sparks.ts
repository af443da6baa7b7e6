import type { Server } from '@plimsoll/contract/servers';
import { sparkIds, sparkPages, sparksOf } from './spark-pages.ts';
import type { Sparks } from './spark-pages.ts';
import { sparksQuery } from './metrics.ts';
import { useQuery } from './query.ts';

/** The small charts of the cards in sight of those shown; of none where `sight` is null. */
export function useCardSparks(shown: readonly Server[], sight: { first: number; end: number } | null): Sparks {
  const [one, other] = sight === null ? [null, null] : sparkPages(sight);
  const first = useQuery(sparksQuery(sparkIds(shown, one)));
  const second = useQuery(sparksQuery(sparkIds(shown, other)));
  return new Map([...sparksOf(first.data), ...sparksOf(second.data)]);
}
