import { useSearchParams } from '../../router.ts';

const NAME = 'compare';

/** Returns true if charts show an earlier time beneath the present; kept in the address. */
export function useComparing(): [boolean, (on: boolean) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (on: boolean) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (on) next.set(NAME, 'before');
        else next.delete(NAME);
        return next;
      },
      { replace: true },
    );
  return [search.has(NAME), set];
}
