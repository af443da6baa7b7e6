import { formatScope, parseScope, type Scope } from '@plimsoll/contract/rules/scope';
import { createContext, useContext } from 'react';
import { parseMoment } from '../time/moment.ts';

/** Filter and moment of every list, sum and chart of a page. */
export interface View {
  /** In the form the API takes; '' is every server. */
  scope: string;
  /** Shows the state at this moment, epoch seconds; null is now. */
  at: number | null;
}
export const WHOLE_VIEW: View = { scope: '', at: null };

const ViewContext = createContext<View>(WHOLE_VIEW);
export const ViewProvider = ViewContext.Provider;
export const useView = (): View => useContext(ViewContext);

export interface ReadScope {
  scope: Scope;
  /** Why the text of the address is not a scope; then the scope is empty. */
  problem: string | null;
}

/** Reads the scope of an address. */
export function readScope(search: URLSearchParams): ReadScope {
  const parsed = parseScope(search.get('scope') ?? '');
  return 'scope' in parsed ? { scope: parsed.scope, problem: null } : { scope: [], problem: parsed.problem };
}

export const viewOf = (search: URLSearchParams): View => ({
  scope: formatScope(readScope(search).scope),
  at: parseMoment(search),
});

/** Pages of settings and of conversations: they have no state of an earlier moment. */
const PAGES_OF_NOW = /^\/(setup|profile|ai-chat|alerts\/(rules|silences|channels))(\/|$)/;
export const isPageOfNow = (path: string): boolean => PAGES_OF_NOW.test(path);
