import { randomBytes } from 'node:crypto';
import type { EventObject, PodObject, VolumeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_LIMITS as L, type ListedKind } from '@plimsoll/contract/rules/kubernetes-limits';
import { DESCRIBED_LIMITS, type DescribedKind } from '@plimsoll/contract/rules/described-kinds';
import type { DescribedObject } from '@plimsoll/contract/wire/described-object';
import type { EndSeen } from '../watch/container-terminations.ts';
import type { FailedJob, JobLink } from '../watch/owners.ts';

/** A list that is read piece by piece. */
export interface Slices<T> {
  length: number;
  slice(from: number, to: number): T[];
}

/** Everything in one report; the sender cuts it into items of the protocol's sizes. */
export type Part = Pick<
  ClusterItem,
  'nodes' | 'workloads' | 'placements' | 'events' | 'ends' | 'jobs' | 'usage' | 'deleted' | 'readers'
> & { pods?: Slices<PodObject>; volumes?: Slices<VolumeObject>; objects?: Slices<DescribedObject> };
export type Item = Omit<ClusterItem, 'seq' | 'ts' | 'kind'>;

const SIZES = {
  nodes: L.nodesPerItem,
  placements: L.placementsPerItem,
  pods: L.podsPerItem,
  workloads: L.workloadsPerItem,
  volumes: L.volumesPerItem,
  objects: DESCRIBED_LIMITS.objectsPerItem,
  events: L.eventsPerItem,
  ends: L.endsPerItem,
  jobs: L.jobsPerItem,
  usage: L.nodesPerItem,
} as const;

/**
 * Cuts a part into items lazily. Sends terminations first and deletions last, so that a server that stops half
 * way has counted restarts before it deletes pods. Of a full listing every item carries the id, and the last one their number, so that
 * the server detects a lost item; `covers` null: no listing. `described`: the kinds of `objects` that the listing covers.
 */
export function* cutIntoItems(
  part: Part,
  covers: readonly ListedKind[] | null,
  described: readonly DescribedKind[] = [],
): Generator<Item, void> {
  const id = randomBytes(16).toString('hex');
  let items = 0;
  const listing = (complete: boolean): Item => {
    items += 1;
    if (!covers) return {};
    const objects = described.length > 0 ? { covers_objects: [...described] } : {};
    return { listing: { id, complete, covers: [...covers], ...objects, ...(complete ? { items } : {}) } };
  };
  for (const key of [
    'ends',
    'jobs',
    'nodes',
    'workloads',
    'objects',
    'volumes',
    'placements',
    'pods',
    'usage',
    'events',
  ] as const) {
    const list: Slices<unknown> = part[key] ?? [];
    for (let from = 0; from < list.length;) {
      const piece = pieceOf(list, from, SIZES[key]);
      from += piece.length;
      yield { [key]: piece, ...listing(false) };
    }
  }
  for (const deleted of cutDeletions(part.deleted)) yield { deleted, ...listing(false) };
  if (covers || part.readers) yield { ...(part.readers ? { readers: part.readers } : {}), ...listing(true) };
}

/**
 * Characters of a list as JSON: with three bytes for each it is below the limit of a request, 8 MiB. A usual item of most
 * objects has less. Nodes with many labels, or pods of many containers, have more.
 */
const PIECE_CHARACTERS = 2 ** 21;
/** Returns at most `most` entries, at least one. A request that is too large would be refused again and again. */
function pieceOf(list: Slices<unknown>, from: number, most: number): unknown[] {
  let piece = list.slice(from, from + most);
  while (piece.length > 1 && JSON.stringify(piece).length > PIECE_CHARACTERS)
    piece = piece.slice(0, Math.ceil(piece.length / 2));
  return piece;
}

function cutDeletions(deleted: Part['deleted']): NonNullable<Part['deleted']>[] {
  if (!deleted) return [];
  const { nodes, pods, workloads, volumes, objects = [] } = deleted;
  const most = Math.max(...[nodes, pods, workloads, volumes, objects].map((uids) => uids.length));
  return Array.from({ length: Math.ceil(most / L.deletionsPerItem) }, (_, index) => {
    const cut = (uids: string[]): string[] => uids.slice(index * L.deletionsPerItem, (index + 1) * L.deletionsPerItem);
    return {
      nodes: cut(nodes),
      pods: cut(pods),
      workloads: cut(workloads),
      volumes: cut(volumes),
      ...(objects.length > 0 ? { objects: cut(objects) } : {}),
    };
  });
}

/**
 * A queue of facts that must reach the server once each, bounded: when it is full the oldest that matter least go first.
 * `take` leaves them in; `commit` removes what was delivered.
 */
export class FactQueue<T> {
  readonly #facts = new Map<string, T>();
  readonly #most: number;
  readonly #isMinor: (fact: T) => boolean;
  dropped = 0;

  constructor(most: number, isMinor: (fact: T) => boolean = () => true) {
    this.#most = most;
    this.#isMinor = isMinor;
  }

  /** The newer of two facts with one key stands. */
  add(key: string, fact: T): void {
    this.#facts.set(key, fact);
    if (this.#facts.size > this.#most) this.#dropOne();
  }
  take(most: number): Map<string, T> {
    return new Map([...this.#facts].slice(0, most));
  }
  commit(taken: ReadonlyMap<string, T>): void {
    for (const [key, fact] of taken) if (this.#facts.get(key) === fact) this.#facts.delete(key);
  }
  get size(): number {
    return this.#facts.size;
  }

  #dropOne(): void {
    this.dropped += 1;
    for (const [key, fact] of this.#facts) if (this.#isMinor(fact)) return void this.#facts.delete(key);
    const [oldest] = this.#facts.keys();
    if (oldest !== undefined) this.#facts.delete(oldest);
  }
}

/** Normal events are dropped before warnings. */
export const eventQueue = (): FactQueue<EventObject> => new FactQueue(5000, ({ type }) => type !== 'Warning');
export const endQueue = (): FactQueue<EndSeen> => new FactQueue(20_000);
export const jobQueue = (): FactQueue<JobLink & { failed: FailedJob }> => new FactQueue(5000);
