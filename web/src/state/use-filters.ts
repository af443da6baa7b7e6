import { useMemo } from 'react';
import { parseRange, RANGE_PARAMETERS, withRange } from '../time/range.ts';
import type { TimeRange } from '../time/range.ts';
import { useSearchParams } from '../router.ts';

export interface Filters {
  range: TimeRange;
  /** Server id; '' is all. */
  server: string;
  setRange: (range: TimeRange) => void;
  setServer: (id: string) => void;
  /** Any other parameter of the page. */
  get: (name: string) => string;
  set: (name: string, value: string) => void;
}

/** Filters of a page with several servers, stored in the address. */
export function useFilters(): Filters {
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const words = RANGE_PARAMETERS.map((name) => `${name}=${encodeURIComponent(search.get(name) ?? '')}`).join('&');
  // The charts of a range are not drawn again when another parameter changes.
  const range = useMemo(() => parseRange(new URLSearchParams(words)), [words]);
  return {
    range,
    server: search.get('server') ?? '',
    setRange: (range) => setSearch((before) => withRange(before, range)),
    setServer: (id) => set('server', id),
    get: (name) => search.get(name) ?? '',
    set,
  };
}
