import { useEffect, useState } from 'react';
import { RequestFailed } from '../../api/client.ts';

interface Failure {
  error: RequestFailed;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Makes something on the server once per visit, when it is first wanted. Not a query: refreshing the page's figures must
 * not make another one. `make` is the same function on every render.
 */
export function useMadeOnce<T>(make: () => Promise<T>, wanted: boolean) {
  const [made, setMade] = useState<T | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const due = wanted && made === null && failure === null;

  useEffect(() => {
    if (!due) return;
    let waiting = true;
    make().then(
      (value) => waiting && setMade(value),
      (error: unknown) => {
        const failed = error instanceof RequestFailed ? error : new RequestFailed('Unknown error', 0);
        if (waiting) setFailure({ error: failed, at: Date.now() });
      },
    );
    return () => {
      waiting = false;
    };
  }, [due, make]);

  return { made, failure, retry: () => setFailure(null) };
}
