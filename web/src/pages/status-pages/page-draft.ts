import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import type { StatusPageBody } from '../../api/status-pages.ts';

/** The content of the form; labels and groups by the id of a server or check. */
export interface PageDraft {
  title: string;
  message: string;
  serverIds: readonly string[];
  checkIds: readonly string[];
  labels: Readonly<Record<string, string>>;
  groups: Readonly<Record<string, string>>;
  showsNames: boolean;
  showsFigures: boolean;
  showsMaintenance: boolean;
  isIndexable: boolean;
  isPublished: boolean;
  /** Days from now, '' for no end, or KEEP. */
  ends: string;
}

/** The end that the page already has. */
export const KEEP = 'keep';

export const EMPTY_PAGE: PageDraft = {
  title: '',
  message: '',
  serverIds: [],
  checkIds: [],
  labels: {},
  groups: {},
  showsNames: false,
  showsFigures: false,
  showsMaintenance: true,
  isIndexable: false,
  isPublished: true,
  ends: '',
};

const namedOf = ({ servers, checks }: StatusPageOnWire) => [
  ...servers.map(({ server_id: id, label, group }) => ({ id, label, group })),
  ...checks.map(({ check_id: id, label, group }) => ({ id, label, group })),
];

export const draftOf = (page: StatusPageOnWire): PageDraft => ({
  title: page.title,
  message: page.message,
  serverIds: page.servers.map(({ server_id: id }) => id),
  checkIds: page.checks.map(({ check_id: id }) => id),
  labels: Object.fromEntries(namedOf(page).map(({ id, label }) => [id, label ?? ''])),
  groups: Object.fromEntries(namedOf(page).map(({ id, group }) => [id, group ?? ''])),
  showsNames: page.shows_names,
  showsFigures: page.shows_figures,
  showsMaintenance: page.shows_maintenance,
  isIndexable: page.is_indexable,
  isPublished: page.is_published,
  // An end that is over would be refused.
  ends: page.expires_at === null || page.status === 'expired' ? '' : KEEP,
});

function endOf(ends: string, stored: string | null, now: number): string | null {
  if (ends === KEEP) return stored;
  return ends === '' ? null : new Date(now + Number(ends) * DAY_MS).toISOString();
}

function nameOrNull(typed: string | undefined): string | null {
  const name = (typed ?? '').trim();
  return name === '' ? null : name;
}

const publicNameOf = ({ labels, groups }: PageDraft, id: string) => ({
  label: nameOrNull(labels[id]),
  group: nameOrNull(groups[id]),
});

export const bodyOf = (draft: PageDraft, storedEnd: string | null, now: number): StatusPageBody => ({
  title: draft.title.trim(),
  message: draft.message.trim(),
  servers: draft.serverIds.map((id) => ({ server_id: id, ...publicNameOf(draft, id) })),
  checks: draft.checkIds.map((id) => ({ check_id: id, ...publicNameOf(draft, id) })),
  shows_names: draft.showsNames,
  shows_figures: draft.showsFigures,
  shows_maintenance: draft.showsMaintenance,
  is_indexable: draft.isIndexable,
  is_published: draft.isPublished,
  expires_at: endOf(draft.ends, storedEnd, now),
});
