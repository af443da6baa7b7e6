import {
  CONTAINER_FILTERS,
  CONTAINER_GROUPINGS,
  CONTAINER_SORTS,
  type ContainerFilter,
  type ContainerGrouping,
  type ContainerSort,
} from '@plimsoll/contract/rules/container-states';
import type { ContainersSummary } from '@plimsoll/contract/wire/containers';
import { numberText, plural } from '../../format/figures.ts';

/** Choices of the page, stored in its address. */
export interface ContainersView {
  search: string;
  state: ContainerFilter | '';
  sort: ContainerSort;
  hidden: boolean;
  /** Filters; empty: all. `host` is a server id. */
  host: string;
  image: string;
  project: string;
  /** Empty: a row for each container. */
  group: ContainerGrouping | '';
  offset: number;
}

const DEFAULT_SORT: ContainerSort = 'worst';

export function parseView(search: URLSearchParams): ContainersView {
  const offset = Number(search.get('offset') ?? 0);
  return {
    search: search.get('search') ?? '',
    state: CONTAINER_FILTERS.find((each) => each === search.get('state')) ?? '',
    sort: CONTAINER_SORTS.find((each) => each === search.get('sort')) ?? DEFAULT_SORT,
    hidden: search.get('hidden') === 'true',
    host: search.get('host') ?? '',
    image: search.get('image') ?? '',
    project: search.get('project') ?? '',
    group: CONTAINER_GROUPINGS.find((each) => each === search.get('group')) ?? '',
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  };
}

/** Returns the parameters with this view; another filter begins at the first page. */
export function withView(before: URLSearchParams, change: Partial<ContainersView>): URLSearchParams {
  const view = { ...parseView(before), ...(change.offset === undefined && { offset: 0 }), ...change };
  const next = new URLSearchParams(before);
  const texts = {
    search: view.search,
    state: view.state,
    sort: view.sort === DEFAULT_SORT ? '' : view.sort,
    hidden: view.hidden ? 'true' : '',
    host: view.host,
    image: view.image,
    project: view.project,
    group: view.group,
    offset: view.offset === 0 ? '' : String(view.offset),
  };
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') next.delete(name);
    else next.set(name, text);
  }
  return next;
}

/** The view without its filters. */
export const NO_FILTERS = { search: '', state: '', host: '', image: '', project: '' } as const;
export const isFiltered = ({ search, state, host, image, project }: ContainersView): boolean =>
  [search, state, host, image, project].some((text) => text !== '');

/** "412 containers on 61 of 240 hosts. 2 broken, 2 over the memory line, 18 without a limit." */
export function summarySentence(summary: ContainersSummary): string {
  const { total, hosts, servers, broken, over_line: over, no_limit: free, late } = summary;
  const where = `${plural(total, 'container')} on ${numberText(hosts)} of ${plural(servers, 'host')}.`;
  const facts = [
    broken > 0 ? `${numberText(broken)} broken` : 'none broken',
    ...(over > 0 ? [`${numberText(over)} over the memory line`] : []),
    ...(free > 0 ? [`${numberText(free)} without a limit`] : []),
    ...(late > 0 ? [`${numberText(late)} on hosts that do not report`] : []),
  ];
  return total === 0 ? where : `${where} ${facts.join(', ').replace(/^n/, 'N')}.`;
}
