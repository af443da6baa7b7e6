import { useSearchParams } from '../router.ts';

/**
 * Returns filters and page of a list, kept in the address, and a function that changes some of them. An empty text takes one
 * away; any change of a filter returns to the first page. Typing replaces the entry of the history.
 */
export function useAddressFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<Name, string>;
  const offset = Number(search.get('offset') ?? 0);
  const set = (change: Partial<Record<Name | 'offset', string>>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries<string | undefined>({ offset: '', ...change })) {
          if (value === undefined || value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: 'search' in change },
    );
  /** The filters that are set, trimmed, as a query of the API. */
  const chosen = Object.fromEntries(
    names.flatMap((name) => (values[name].trim() === '' ? [] : [[name, values[name].trim()]])),
  ) as Partial<Record<Name, string>>;
  return { values, chosen, offset: Number.isInteger(offset) && offset > 0 ? offset : 0, set };
}
