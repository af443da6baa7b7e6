import { parseMoment, withMoment } from '../time/moment.ts';
import { useSearchParams } from '../router.ts';

/** The moment of the past that the page shows, epoch seconds, kept in the address; null is now. */
export function useAt(): [number | null, (at: number | null) => void] {
  const [search, setSearch] = useSearchParams();
  const at = parseMoment(search);
  return [at, (next) => setSearch((before) => withMoment(before, next), { replace: at !== null && next !== null })];
}
