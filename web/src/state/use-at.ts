import { parseMoment, withMoment } from '../time/moment.ts';
import { useSearchParams } from '../router.ts';

/** The moment of the past that the pages show, epoch seconds, kept in the address; null is now. */
export function useAt(): [number | null, (at: number | null) => void] {
  const [search, setSearch] = useSearchParams();
  const at = parseMoment(search);
  return [
    at,
    // A scrub of many moments is one step of the browser's history.
    (next) =>
      setSearch((before) => withMoment(before, next), { replace: at !== null && next !== null, endsMoment: true }),
  ];
}

/** Leaves the past: without the moment, and without a range of the past that stands in the address. */
export function useBackToNow(): () => void {
  const [, setSearch] = useSearchParams();
  return () =>
    setSearch(
      (before) => {
        const next = withMoment(before, null);
        for (const name of ['from', 'to']) next.delete(name);
        return next;
      },
      { endsMoment: true },
    );
}
