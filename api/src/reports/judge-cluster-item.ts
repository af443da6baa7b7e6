import {
  containerEnd,
  eventObject,
  jobObject,
  nodeObject,
  podObject,
  volumeObject,
  workloadObject,
} from '@plimsoll/contract/wire/cluster-objects';
import { placementObject } from '@plimsoll/contract/wire/cluster-placement';
import { describedObject } from '@plimsoll/contract/wire/described-object';
import { DESCRIBED_LIMITS } from '@plimsoll/contract/rules/described-kinds';
import { name, readerState, uid } from '@plimsoll/contract/wire/cluster-fields';
import { clusterItem, historyPart, usageItem, type ClusterAnswer } from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_LIMITS as L, LISTED_KINDS, type ListedKind } from '@plimsoll/contract/rules/kubernetes-limits';
import type { z } from 'zod';
import { readerOf, wholeItem, type JudgedItem, type Refusal, type ReportedKind } from '../kubernetes/refusals.ts';
import { flawOf, keepGoodParts, type Flaw, type Mending } from './keep-good-parts.ts';
import { sanitizeTree } from './sanitize.ts';

export type RejectedItem = ClusterAnswer['rejected'][number];
/** Id of the listing that lost an item; empty if the id could not be read. Null: the item belongs to no listing. */
type LostListing = string | null;
type Verdict = { judged: JudgedItem } | { rejected: RejectedItem; lostListing: LostListing };

type Raw = Record<string, unknown>;
const treeOf = (value: unknown): Raw => (typeof value === 'object' && value !== null ? (value as Raw) : {});

/** Null says here that a pod is well, or has no node: an alert would end, or a failed Job would count as of now. */
const DECISIVE = new Set(['node_name', 'reason', 'ready', 'desired', 'exit_code', 'finished_at', 'since']);
const OBJECTS: Mending = { mends: 'figures', decisive: DECISIVE };
const READINGS: Mending = { mends: 'parts', decisive: new Set(), emptiesLists: true };
/** Its lists belong together: one number for each bucket. */
const HISTORY: Mending = { mends: 'parts', decisive: new Set() };

const DESCRIBED: Mending = { mends: 'figures', decisive: new Set(), isExact: true };

const KINDS = [
  ...LISTED_KINDS,
  'placements',
  'jobs',
  'objects',
  'events',
  'ends',
  'usage',
  'readers',
  'deleted',
] as const;
const itemHead = clusterItem.pick({ seq: true, kind: true, ts: true, listing: true });

/** Judges one item object by object: a bad one costs neither its neighbours nor the listing. */
export function judgeClusterItem(raw: unknown, index: number): Verdict {
  const clean = sanitizeTree(raw);
  const { seq: given, kind } = treeOf(clean);
  const seq = typeof given === 'number' && Number.isSafeInteger(given) && given > 0 ? given : null;
  const lostListing = listingOf(clean);
  if (typeof kind === 'string' && kind !== clusterItem.shape.kind.value) {
    const detail = 'kind: is not supported by this server';
    return { rejected: { seq, index, code: 'kind_unknown', detail }, lostListing };
  }
  const parsed = clusterItem.safeParse(clean);
  if (parsed.success) return { judged: wholeItem(parsed.data) };
  const head = itemHead.safeParse(clean);
  // An item of history holds nothing else: without it, nothing of the item is good.
  const isHistory = treeOf(clean).history !== undefined && KINDS.every((one) => treeOf(clean)[one] === undefined);
  const judged = head.success ? new Judgement(treeOf(clean)).of(head.data) : null;
  if (judged !== null && !(isHistory && judged.item.history === undefined)) return { judged };
  const { field, problem } = flawOf((head.error ?? parsed.error).issues[0]);
  const detail = `${field || 'item'}: ${problem}`.slice(0, 200);
  return { rejected: { seq, index, code: 'invalid_item', detail }, lostListing };
}

/** Returns the listing of an item; an item whose listing cannot be read may be a part of any. */
function listingOf(clean: unknown): LostListing {
  if (typeof clean !== 'object' || clean === null || Array.isArray(clean)) return '';
  const { listing } = clean as Raw;
  if (listing === undefined) return null;
  const { id } = treeOf(listing);
  return typeof id === 'string' ? id : '';
}

/** The good parts of one item, with what it lacks. */
class Judgement {
  readonly #raw: Raw;
  readonly #refused: Refusal[] = [];
  readonly #unknown: Refusal[] = [];
  readonly #lost = new Set<ListedKind>();

  constructor(raw: Raw) {
    this.#raw = raw;
  }

  of(head: z.infer<typeof itemHead>): JudgedItem {
    const item = {
      ...head,
      ...this.#list('nodes', nodeObject, OBJECTS, L.nodesPerItem),
      ...this.#list('placements', placementObject, OBJECTS, L.placementsPerItem),
      ...this.#list('pods', podObject, OBJECTS, L.podsPerItem),
      ...this.#list('workloads', workloadObject, OBJECTS, L.workloadsPerItem),
      ...this.#list('volumes', volumeObject, OBJECTS, L.volumesPerItem),
      ...this.#list('jobs', jobObject, OBJECTS, L.jobsPerItem),
      ...this.#list('objects', describedObject, DESCRIBED, DESCRIBED_LIMITS.objectsPerItem),
      ...this.#list('events', eventObject, READINGS, L.eventsPerItem),
      ...this.#list('ends', containerEnd, READINGS, L.endsPerItem),
      ...this.#list('usage', usageItem, READINGS, L.nodesPerItem),
      ...this.#list('readers', readerState, READINGS, L.readers),
      ...this.#history(),
      ...this.#deleted(),
    };
    return { item, refused: this.#refused, unknown: this.#unknown, lost: [...this.#lost] };
  }

  #list<T extends object, K extends ReportedKind>(
    kind: K,
    schema: z.ZodType<T>,
    mending: Mending,
    most: number,
  ): { [P in K]?: T[] } {
    const list = this.#raw[kind];
    if (list === undefined) return {};
    if (!Array.isArray(list)) {
      this.#lose(kind, null, { field: kind, problem: 'must be a list' });
      return {};
    }
    if (list.length > most)
      this.#lose(kind, null, { field: kind, problem: `must have at most ${String(most)} entries` });
    const kept = list.slice(0, most).flatMap((raw: unknown): T[] => {
      const entry = keepGoodParts(schema, raw, mending);
      if ('refused' in entry) {
        this.#lose(kind, raw, entry.refused);
        return [];
      }
      return [this.#noted(kind, entry.value, entry.flaws)];
    });
    return { [kind]: kept } as { [P in K]?: T[] };
  }

  /** Objects carry the reasons of their unknown fields; a reading has no place for them. */
  #noted<T extends object>(kind: ReportedKind, value: T, flaws: readonly Flaw[]): T {
    if (flaws.length === 0) return value;
    if (!LISTED_KINDS.some((one) => one === kind)) {
      for (const flaw of flaws) this.#unknown.push(refusalOf(kind, value, flaw));
      return value;
    }
    const { unknown_fields: told = [] } = value as { unknown_fields?: string[] };
    const all = [...told, ...flaws.map(({ field, problem }) => `${field}: ${problem}`)];
    return { ...value, unknown_fields: all.slice(0, L.unknownFields) };
  }

  #lose(kind: ReportedKind, raw: unknown, flaw: Flaw): void {
    const refusal = refusalOf(kind, raw, flaw);
    this.#refused.push(refusal);
    const listed = LISTED_KINDS.find((one) => one === kind);
    const isNamed = refusal.name !== null && (refusal.namespace !== null || kind === 'nodes');
    if (listed !== undefined && refusal.uid === null && !isNamed) this.#lost.add(listed);
  }

  #history(): Pick<JudgedItem['item'], 'history'> {
    if (this.#raw.history === undefined) return {};
    const kept = keepGoodParts(historyPart, this.#raw.history, HISTORY);
    if ('refused' in kept) {
      this.#lose('history', null, kept.refused);
      return {};
    }
    return { history: this.#noted('history', kept.value, kept.flaws) };
  }

  #deleted(): Pick<JudgedItem['item'], 'deleted'> {
    if (this.#raw.deleted === undefined) return {};
    const lists = treeOf(this.#raw.deleted);
    const uidsOf = (kind: ListedKind | 'objects'): string[] => {
      const list = lists[kind];
      if (!Array.isArray(list)) return [];
      return list.slice(0, L.deletionsPerItem).filter((one): one is string => uid.safeParse(one).success);
    };
    return {
      deleted: {
        nodes: uidsOf('nodes'),
        pods: uidsOf('pods'),
        workloads: uidsOf('workloads'),
        volumes: uidsOf('volumes'),
        objects: uidsOf('objects'),
      },
    };
  }
}

function refusalOf(kind: ReportedKind, raw: unknown, { field, problem }: Flaw): Refusal {
  const tree = treeOf(raw);
  const nameIn = (...fields: string[]): string | null => {
    const found = fields.map((one) => name.safeParse(tree[one])).find(({ success }) => success);
    return found?.data ?? null;
  };
  return {
    kind,
    reader: readerOf(kind, kind === 'usage' ? tree.source : tree.kind),
    uid: uid.safeParse(tree.uid).data ?? null,
    namespace: nameIn('namespace'),
    name: nameIn('name', 'pod_name', 'node_name'),
    problem: (field === '' ? problem : `${field}: ${problem}`).slice(0, 300),
  };
}
