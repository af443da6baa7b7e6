import { SPARK_LIMITS } from '@plimsoll/contract/rules/limits';
import type { SparksAnswer } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { sparksQuery } from './metrics.ts';
import { useView } from '../state/view.ts';
import { useQuery } from './query.ts';

interface SparkPoint {
  at: number;
  value: number | null;
}

type Ranked = Pick<Server, 'id' | 'status' | 'headroom'>;
/** The points of each server's small chart, with the resource they belong to. */
type Sparks = ReadonlyMap<string, { resource: string; points: readonly SparkPoint[] }>;

/** A silent server's card shows its last report; a small chart beside it would look current. */
const isDrawn = ({ status, headroom }: Ranked): boolean => status === 'active' && headroom !== null;

/** The fifties of cards that those in sight are among: two at most, since nobody sees fifty cards at once. */
export function sparkPages({ first, end }: { first: number; end: number }): [number, number | null] {
  const page = (index: number) => Math.floor(index / SPARK_LIMITS.servers);
  const [one, other] = [page(first), page(Math.max(first, end - 1))];
  return [one, other === one ? null : other];
}

/** Servers of one call, fifty cards, sorted by id, so that a changed order of cards causes no new request. */
export const sparkIds = (shown: readonly Ranked[], page: number | null): string[] =>
  page === null
    ? []
    : shown
        .slice(page * SPARK_LIMITS.servers, (page + 1) * SPARK_LIMITS.servers)
        .filter(isDrawn)
        .map(({ id }) => id)
        .toSorted();

export const sparksOf = (answer: SparksAnswer | undefined): Sparks =>
  new Map(
    answer?.sparks.map(({ server_id: id, resource, values }) => [
      id,
      { resource, points: values.map((value, index) => ({ at: answer.from + index * answer.bucket_seconds, value })) },
    ]),
  );

/** Returns the points of a server's small chart; undefined, too, while they belong to another resource than its headroom. */
export function sparkFor(server: Ranked, sparks: Sparks): readonly SparkPoint[] | undefined {
  const spark = isDrawn(server) ? sparks.get(server.id) : undefined;
  return spark?.resource === server.headroom?.resource ? spark?.points : undefined;
}

/** The points of the small chart of each server shown, by server id. */
export type CardSparks = ReadonlyMap<string, readonly SparkPoint[] | undefined>;

/** Loads the small charts of the cards in sight; none where `sight` is null, nor of the past: they end now. */
export function useCardSparks(shown: readonly Server[], sight: { first: number; end: number } | null): CardSparks {
  const { at } = useView();
  const [one, other] = sight === null || at !== null ? [null, null] : sparkPages(sight);
  const first = useQuery(sparksQuery(sparkIds(shown, one)));
  const second = useQuery(sparksQuery(sparkIds(shown, other)));
  const sparks = new Map([...sparksOf(first.data), ...sparksOf(second.data)]);
  return new Map(shown.map((server) => [server.id, sparkFor(server, sparks)]));
}
