import { useEffect, useState } from 'react';
import { UI } from '../../api/polling.ts';
import { copyText } from './copy-text.ts';

type CopyState = 'idle' | 'copied' | 'failed';

/** Copies, and says so for two seconds; copying again starts the two seconds anew. */
export function useCopied(): { state: CopyState; copy: (text: string) => void } {
  const [outcome, setOutcome] = useState<{ state: CopyState; times: number }>({ state: 'idle', times: 0 });
  useEffect(() => {
    if (outcome.state === 'idle') return;
    const timer = setTimeout(() => setOutcome((last) => ({ ...last, state: 'idle' })), UI.copyFeedback);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (text: string) =>
    void copyText(text).then((done) =>
      setOutcome((last) => ({ state: done ? 'copied' : 'failed', times: last.times + 1 })),
    );
  return { state: outcome.state, copy };
}
