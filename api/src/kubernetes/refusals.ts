import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import { DESCRIBED_KINDS } from '@plimsoll/contract/rules/described-kinds';
import { LISTED_KINDS, type ListedKind } from '@plimsoll/contract/rules/kubernetes-limits';

/** Lists of a cluster report whose entries are judged one by one, and the history. */
export type ReportedKind =
  | ListedKind
  | 'placements'
  | 'events'
  | 'ends'
  | 'jobs'
  | 'objects'
  | 'usage'
  | 'history'
  | 'readers';

/** An object of a report that the API cannot store, or a field of it that is unknown. */
export interface Refusal {
  kind: ReportedKind;
  /** Reader that is incomplete by it. */
  reader: string;
  /** Null, as the two names: it cannot be read. */
  uid: string | null;
  namespace: string | null;
  name: string | null;
  /** The field at fault with the problem; values are not echoed. */
  problem: string;
}

/** One item with its good objects. */
export interface JudgedItem {
  item: ClusterItem;
  /** Objects that are not in the item because they cannot be stored. */
  refused: Refusal[];
  /** Fields and entries that the item lacks. */
  unknown: Refusal[];
  /** Kinds that lost an object which nobody can name: a listing of them is not complete. */
  lost: ListedKind[];
}
export const wholeItem = (item: ClusterItem): JudgedItem => ({ item, refused: [], unknown: [], lost: [] });

/** A refusal as a cluster keeps it. */
export interface KeptRefusal extends Refusal {
  /** Its object keeps its last accepted state. */
  isObject: boolean;
  /** The listing that named the object last. */
  listing: string | null;
  /** Epoch milliseconds. */
  since: number;
  seenAt: number;
}

/** Refusals of one cluster, kept for its screen. */
const MOST = 100;
/** Facts such as events are sent once, so nothing corrects them. Described objects stay as long as facts. */
const FACT_MS = 24 * 3_600_000;
const FACTS: readonly ReportedKind[] = ['events', 'ends', 'jobs', 'objects'];

const isListed = (kind: ReportedKind): kind is ListedKind => LISTED_KINDS.some((one) => one === kind);
const keyOf = ({ kind, uid, namespace, name, problem }: Refusal): string =>
  JSON.stringify([kind, ...(uid === null ? [namespace, name] : [uid]), problem]);

/**
 * Returns the refusals of a cluster after an item. An object that arrives without a flaw or is gone has none left, and a
 * new reading of figures replaces the flaws of the one before.
 */
export function nextRefusals(known: readonly KeptRefusal[], judged: JudgedItem, now: number): KeptRefusal[] {
  const { item, refused, unknown } = judged;
  const listing = item.listing?.id ?? null;
  const before = new Map(known.map((one) => [keyOf(one), one]));
  const added = [
    ...refused.map((one) => ({ ...one, isObject: true })),
    ...[...unknown, ...unknownFieldsOf(item)].map((one) => ({ ...one, isObject: false })),
  ].map((one): KeptRefusal => ({ ...one, listing, since: before.get(keyOf(one))?.since ?? now, seenAt: now }));
  const stays = stayingAfter(judged, now);
  const next = new Map([...known.filter(stays), ...added].map((one) => [keyOf(one), one]));
  return [...next.values()].slice(0, MOST);
}

function stayingAfter({ item, refused }: JudgedItem, now: number): (one: KeptRefusal) => boolean {
  const named = new Set<string>();
  for (const kind of LISTED_KINDS) {
    for (const object of item[kind] ?? []) {
      named.add(`${kind} ${object.uid}`);
      named.add(placeOf(kind, 'namespace' in object ? object.namespace : null, object.name));
    }
    for (const uid of item.deleted?.[kind] ?? []) named.add(`${kind} ${uid}`);
  }
  for (const { kind, uid, namespace, name } of refused) {
    if (uid !== null) named.add(`${kind} ${uid}`);
    named.add(placeOf(kind, namespace, name));
  }
  return (one) => {
    if (FACTS.includes(one.kind)) return now - one.seenAt < FACT_MS;
    if (!isListed(one.kind)) return item[one.kind as 'usage' | 'history' | 'readers'] === undefined;
    const place = placeOf(one.kind, one.namespace, one.name);
    if (named.has(one.uid === null ? place : `${one.kind} ${one.uid}`)) return false;
    const { listing } = item;
    return !(listing?.complete && listing.covers.includes(one.kind) && one.listing !== listing.id);
  };
}
const placeOf = (kind: ReportedKind, namespace: string | null, name: string | null): string =>
  JSON.stringify([kind, namespace, name]);

const READERS_OF_KIND: Record<ReportedKind, string> = {
  nodes: 'nodes',
  pods: 'pods',
  placements: 'pods',
  workloads: 'workloads',
  volumes: 'persistentvolumeclaims',
  events: 'events',
  ends: 'pods',
  jobs: 'jobs',
  objects: 'objects',
  usage: 'metrics.k8s.io',
  history: 'prometheus',
  readers: 'readers',
};
/** "Deployment" → "deployments", "Ingress" → "ingresses", "NetworkPolicy" → "networkpolicies". */
export const pluralOf = (kind: string): string => {
  const word = kind.toLowerCase();
  if (word.endsWith('y')) return `${word.slice(0, -1)}ies`;
  return word.endsWith('s') ? `${word}es` : `${word}s`;
};
const WORKLOAD_READERS: ReadonlySet<unknown> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob']);
const DESCRIBED: ReadonlySet<unknown> = new Set(DESCRIBED_KINDS);
/** Returns the reader of a raw object. `told`: its kind, or the source of a usage. */
export function readerOf(kind: ReportedKind, told: unknown): string {
  if (kind === 'workloads' && WORKLOAD_READERS.has(told)) return pluralOf(String(told));
  if (kind === 'objects' && DESCRIBED.has(told)) return pluralOf(String(told));
  return kind === 'usage' && told === 'prometheus' ? told : READERS_OF_KIND[kind];
}

/** Reasons that the objects carry, from their collector or from the API. */
function unknownFieldsOf(item: ClusterItem): Refusal[] {
  return LISTED_KINDS.flatMap((kind) =>
    (item[kind] ?? []).flatMap((object) =>
      (object.unknown_fields ?? []).map((problem): Refusal => ({
        kind,
        reader: readerOf(kind, 'kind' in object ? object.kind : null),
        uid: object.uid,
        namespace: 'namespace' in object ? object.namespace : null,
        name: object.name,
        problem,
      })),
    ),
  );
}

const NAMED = 5;
/** Returns the sentence for the row of a reader: "shop/api-1: phase: …". */
export function describeRefusals(reasons: readonly string[]): string {
  const more = reasons.length - NAMED;
  return [...reasons.slice(0, NAMED), ...(more > 0 ? [`and ${String(more)} more`] : [])].join('; ');
}
export const reasonOf = ({ namespace, name, problem }: Refusal): string =>
  `${[namespace, name].filter((part) => part !== null).join('/') || 'an object without a name'}: ${problem}`;
