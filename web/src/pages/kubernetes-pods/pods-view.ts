import { POD_PHASES, POD_SORTS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { PodPhase, PodSort, SortOrder } from '@plimsoll/contract/rules/kubernetes-limits';
import type { PodsQuery } from '@plimsoll/contract/wire/kubernetes';

/** Pods of one page: the server holds the others. */
export const PAGE_ROWS = 100;

/** Filters and order of the pods page, kept in its address. */
export interface PodsView {
  search: string;
  namespace: string;
  phase: PodPhase | '';
  /** A kind of owner; "none" is pods nobody owns. */
  owner: string;
  view: 'list' | 'owner';
  sort: PodSort;
  order: SortOrder;
  offset: number;
  /** Key of the pod that stands open: cluster/namespace/name. */
  pod: string | null;
}

/** Worst state first, and of one state what restarts most. */
const DEFAULT: PodsView = {
  search: '',
  namespace: '',
  phase: '',
  owner: '',
  view: 'list',
  sort: 'state',
  order: 'asc',
  offset: 0,
  pod: null,
};

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

export function parsePodsView(search: URLSearchParams): PodsView {
  const offset = Number(search.get('offset') ?? 0);
  return {
    search: search.get('search') ?? DEFAULT.search,
    namespace: search.get('namespace') ?? DEFAULT.namespace,
    phase: oneOf(POD_PHASES, search.get('phase')) ?? DEFAULT.phase,
    owner: search.get('owner') ?? DEFAULT.owner,
    view: oneOf(['list', 'owner'] as const, search.get('view')) ?? DEFAULT.view,
    sort: oneOf(POD_SORTS, search.get('sort')) ?? DEFAULT.sort,
    order: oneOf(['asc', 'desc'] as const, search.get('order')) ?? DEFAULT.order,
    offset: Number.isInteger(offset) && offset > 0 ? offset : DEFAULT.offset,
    pod: search.get('pod'),
  };
}

/** A copy of `search` with a part of the view changed; what is as usual is left unsaid. Filters go to the first page. */
export function withPodsView(search: URLSearchParams, change: Partial<PodsView>): URLSearchParams {
  const filters = Object.keys(change).some((name) => name !== 'pod' && name !== 'offset');
  const view = { ...parsePodsView(search), ...(filters ? { offset: 0 } : {}), ...change };
  const next = new URLSearchParams(search);
  for (const name of Object.keys(DEFAULT) as (keyof PodsView)[]) {
    const value = view[name];
    if (value === DEFAULT[name] || value === null) next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

export const isFiltered = ({ search, namespace, phase, owner }: PodsView) =>
  [search.trim(), namespace, phase, owner].some((value) => value !== '');

/** Returns the API query of a view; an empty filter selects all. */
export function podsQueryOf(view: PodsView, cluster: string | null): PodsQuery {
  return {
    limit: PAGE_ROWS,
    offset: view.offset,
    sort: view.sort,
    order: view.order,
    ...(cluster === null ? {} : { cluster_id: cluster }),
    ...(view.search.trim() === '' ? {} : { search: view.search.trim() }),
    ...(view.namespace === '' ? {} : { namespace: view.namespace }),
    ...(view.phase === '' ? {} : { phase: view.phase }),
    ...(view.owner === '' ? {} : { owner_kind: view.owner }),
  };
}

/** The three parts of a pod's key; null when it is not one. */
export function podOfKey(key: string | null): { clusterId: string; namespace: string; name: string } | null {
  const [clusterId, namespace, name, ...rest] = key?.split('/') ?? [];
  if (!clusterId || !namespace || !name || rest.length > 0) return null;
  return { clusterId, namespace, name };
}
