import { SPARK_LIMITS } from '@plimsoll/contract/limits';
import type { SparksAnswer } from '@plimsoll/contract/metrics';
import type { Server } from '@plimsoll/contract/servers';
import type { SparkPoint } from '../components/fleet/spark-path.ts';

type Ranked = Pick<Server, 'id' | 'status' | 'headroom'>;
/** Of each server, what its small chart shows. */
export type Sparks = ReadonlyMap<string, { resource: string; points: readonly SparkPoint[] }>;

/** A silent server's card says when it was last heard of; a small chart beside it would look like today's. */
const isDrawn = ({ status, headroom }: Ranked): boolean => status === 'active' && headroom !== null;

/** The fifties of cards that those in sight are among: two at most, since nobody sees fifty cards at once. */
export function sparkPages({ first, end }: { first: number; end: number }): [number, number | null] {
  const page = (index: number) => Math.floor(index / SPARK_LIMITS.servers);
  const [one, other] = [page(first), page(Math.max(first, end - 1))];
  return [one, other === one ? null : other];
}

/** The servers one call asks for, fifty cards' worth: in the order of their ids, so that a new rank among them asks nothing new. */
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

/** Undefined too while the chart is of another resource than the card's headroom speaks of. */
export function sparkFor(server: Ranked, sparks: Sparks): readonly SparkPoint[] | undefined {
  const spark = isDrawn(server) ? sparks.get(server.id) : undefined;
  return spark?.resource === server.headroom?.resource ? spark?.points : undefined;
}
