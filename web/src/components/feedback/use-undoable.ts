import { useState } from 'react';
import { useMutation, useQueryClient } from '../../api/query.ts';

/** The finished action, and its undo. */
export interface Undoable {
  text: string;
  /** Null: it cannot be undone. */
  undo: (() => Promise<unknown>) | null;
}

/** Runs changes one at a time, requests what they touch anew, and holds the last one so that it can be undone. */
export function useUndoable(touched: readonly (readonly string[])[]) {
  const queries = useQueryClient();
  const [done, setDone] = useState<Undoable | null>(null);
  const change = useMutation({
    async mutationFn(run: () => Promise<Undoable | null>) {
      setDone(null);
      try {
        setDone(await run());
      } finally {
        await Promise.all(touched.map((queryKey) => queries.invalidateQueries({ queryKey })));
      }
    },
  });
  const undo = done?.undo ?? null;
  return {
    run: (run: () => Promise<Undoable>) => change.mutate(run),
    busy: change.isPending,
    error: change.error,
    /** Says what was done when there is no way back. */
    say: (text: string) => setDone({ text, undo: null }),
    toast: {
      text: done?.text ?? null,
      onUndo:
        undo === null
          ? null
          : () =>
              change.mutate(async () => {
                await undo();
                return null;
              }),
      onClose: () => setDone(null),
    },
  };
}
