import type { PersonId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds. */

interface ChosenServer {
  serverId: string;
  /** A name of the owner's choice; null: none. */
  label: string | null;
}

export interface StatusPageDraft {
  title: string;
  message: string;
  /** In the order of the page. */
  servers: ChosenServer[];
  showsNames: boolean;
  showsFigures: boolean;
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

export type PageVisibility = 'public' | 'off' | 'expired';

export function visibilityOf({ isPublished, expiresAt }: StatusPageDraft, now: number): PageVisibility {
  if (!isPublished) return 'off';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'public';
}

/** Returns the ids of the servers on these pages. */
export const serversOf = (pages: readonly Pick<StatusPageDraft, 'servers'>[]): string[] => [
  ...new Set(pages.flatMap(({ servers }) => servers.map(({ serverId }) => serverId))),
];

/** Returns what a page shows to strangers, so that the audit log tells later who published a name. */
export const loggedPage = (page: StatusPage, now: number): Record<string, string> => ({
  id: page.id,
  title: page.title,
  servers: String(page.servers.length),
  shows: ['states', ...(page.showsNames ? ['names'] : []), ...(page.showsFigures ? ['figures'] : [])].join(' '),
  status: visibilityOf(page, now),
});
