import { holdsMoment, parseMoment, rangeAround, withMoment } from '../../time/moment.ts';
import { DEFAULT_RANGE, parseRange, withRange } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';
import { useSearchParams } from '../../router.ts';

export interface Moment {
  /** Epoch seconds; null: nobody looks back. */
  at: number | null;
  setAt: (at: number | null) => void;
  range: TimeRange;
  setRange: (range: TimeRange) => void;
}

/**
 * The page's time range and the moment someone looks back at, both kept in the address. The range always shows the
 * moment: one chosen later that does not ends the looking back. `nowMs`: a steady "now".
 */
export function useMoment(nowMs: number, fallback: TimeRange = DEFAULT_RANGE): Moment {
  const [search, setSearch] = useSearchParams();
  const at = parseMoment(search);
  return {
    at,
    setAt: (next) => setSearch((before) => withMoment(before, next), { replace: at !== null, endsMoment: true }),
    range: rangeAround(parseRange(search, fallback), at, nowMs),
    setRange: (range) =>
      setSearch(
        (before) => {
          const ranged = withRange(before, range, fallback);
          return at === null || holdsMoment(range, at, Date.now()) ? ranged : withMoment(ranged, null);
        },
        { endsMoment: true },
      ),
  };
}
