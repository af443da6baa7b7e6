import { useState } from 'react';
import { useQueryClient } from '../../api/query.ts';

/** Runs a call once at a time, says what went wrong, and asks anew for what it changed. */
export function useAction<A extends unknown[], T>(run: (...input: A) => Promise<T>, changes: string) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const start = async (...input: A): Promise<T | null> => {
    setBusy(true);
    setError(null);
    try {
      const made = await run(...input);
      await queries.invalidateQueries({ queryKey: ['account', changes] });
      void queries.invalidateQueries({ queryKey: ['account', 'audit'] });
      return made;
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'Unknown error');
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, start };
}
