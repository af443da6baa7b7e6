import { formatScope, type Scope, type ScopeTerm } from '@plimsoll/contract/rules/scope';
import { useViewParameters } from '../router.ts';
import { readScope, type ReadScope } from './view.ts';

const sameTerm = (a: ScopeTerm, b: ScopeTerm): boolean =>
  a.key === b.key && a.value.toLowerCase() === b.value.toLowerCase();

export interface ScopeState extends ReadScope {
  setScope: (scope: Scope) => void;
  /** Adds the term, or takes it away if it is there. */
  toggle: (term: ScopeTerm) => void;
  has: (term: ScopeTerm) => boolean;
}

/** The scope of the page, kept in the address. */
export function useScope(): ScopeState {
  const [search, setParameter] = useViewParameters();
  const read = readScope(search);
  const setScope = (scope: Scope) => setParameter('scope', formatScope(scope));
  const has = (term: ScopeTerm) => read.scope.some((one) => sameTerm(one, term));
  return {
    ...read,
    setScope,
    has,
    toggle: (term) => setScope(has(term) ? read.scope.filter((one) => !sameTerm(one, term)) : [...read.scope, term]),
  };
}
