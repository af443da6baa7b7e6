import type { IncidentImpact, IncidentState } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { PersonId } from '../tenancy/ids.ts';
import type { DaySum } from './day-sums.ts';

/** Times are epoch milliseconds. */

interface Named {
  /** A name of the owner's choice; null: none. */
  label: string | null;
  /** Heading that it stands under; null: none. */
  group: string | null;
}
interface ChosenServer extends Named {
  serverId: string;
}
interface ChosenCheck extends Named {
  checkId: string;
}

export interface StatusPageDraft {
  title: string;
  message: string;
  /** In the order of the page. */
  servers: ChosenServer[];
  /** In the order of the page, below the servers. */
  checks: ChosenCheck[];
  showsNames: boolean;
  showsFigures: boolean;
  showsMaintenance: boolean;
  isIndexable: boolean;
  isPublished: boolean;
  /** Null: it does not expire. */
  expiresAt: number | null;
}

export interface StatusPage extends StatusPageDraft {
  id: string;
  slug: string;
  /** Null: unknown. */
  createdBy: PersonId | null;
  createdAt: number;
  updatedAt: number;
}

export interface IncidentDraft {
  title: string;
  impact: IncidentImpact;
  /** Servers of the page whose parts it affects. */
  serverIds: string[];
  /** Checks of the page whose parts it affects. */
  checkIds: string[];
  startedAt: number;
  /** Null: no time is promised. */
  nextUpdateAt: number | null;
}

export interface UpdateDraft {
  state: IncidentState;
  text: string;
}

interface IncidentUpdate extends UpdateDraft {
  id: string;
  at: number;
  createdBy: PersonId | null;
}

/** A text of people for the readers of a page. */
export interface StatusIncident extends IncidentDraft {
  id: string;
  resolvedAt: number | null;
  /** Newest first, and at least one. */
  updates: IncidentUpdate[];
  createdBy: PersonId | null;
  updatedAt: number;
}

/** A UTC day of a server or a check, by its beginning. */
export interface PartDay extends DaySum {
  day: number;
}

/** Data of a server's availability. */
export interface Availability {
  /** Oldest first. Days without data are absent. */
  days: PartDay[];
  /** A critical alert fires now. */
  isCritical: boolean;
}

/** A check as a status page shows it. Its name, target and reasons are not read: they must not leave. */
export interface PageCheck {
  /** Unknown: too few places vote, or it is paused. */
  status: 'up' | 'down' | 'unknown';
  /** The server that a failure of the check belongs to; null: none. */
  serverId: string | null;
  /** Oldest first, from the exact outages. */
  days: PartDay[];
}

export type PageVisibility = 'public' | 'off' | 'expired';

export function visibilityOf({ isPublished, expiresAt }: StatusPageDraft, now: number): PageVisibility {
  if (!isPublished) return 'off';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'public';
}

/** Returns the ids of the servers on these pages. */
export const serversOf = (pages: readonly Pick<StatusPageDraft, 'servers'>[]): string[] => [
  ...new Set(pages.flatMap(({ servers }) => servers.map(({ serverId }) => serverId))),
];

/** Returns the state of an incident: that of its newest update. */
export const incidentState = ({ updates }: Pick<StatusIncident, 'updates'>): IncidentState =>
  updates[0]?.state ?? 'investigating';

/** Returns what a page shows to strangers, so that the audit log tells later who published a name. */
export const loggedPage = (page: StatusPage, now: number): Record<string, string> => ({
  id: page.id,
  title: page.title,
  servers: String(page.servers.length),
  checks: String(page.checks.length),
  shows: [
    'states',
    ...(page.showsNames ? ['names'] : []),
    ...(page.showsFigures ? ['figures'] : []),
    ...(page.showsMaintenance ? ['maintenance'] : []),
  ].join(' '),
  status: visibilityOf(page, now),
});

/** Returns what the audit log keeps of an incident: the words that strangers read. */
export const loggedIncident = (page: StatusPage, incident: StatusIncident): Record<string, string> => ({
  id: incident.id,
  page: page.title,
  incident: incident.title,
  state: incidentState(incident),
});
