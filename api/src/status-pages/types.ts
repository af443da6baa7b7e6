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
  createdAt: number;
  updatedAt: number;
}

export type PageVisibility = 'public' | 'off' | 'expired';

export function visibilityOf({ isPublished, expiresAt }: StatusPageDraft, now: number): PageVisibility {
  if (!isPublished) return 'off';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'public';
}
