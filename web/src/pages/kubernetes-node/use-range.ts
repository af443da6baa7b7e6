import { DEFAULT_RANGE, parseRange, withRange } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';
import { useSearchParams } from '../../router.ts';

/** The page's time range, kept in the address: a link shows what its sender saw. `fallback` is what no address says. */
export function useRange(fallback: TimeRange = DEFAULT_RANGE): [TimeRange, (range: TimeRange) => void] {
  const [search, setSearch] = useSearchParams();
  return [parseRange(search, fallback), (range) => setSearch((before) => withRange(before, range, fallback))];
}
