import { useEffect, useState } from 'react';
import { UI } from '../../api/polling.ts';
import { copyText } from './copy-text.ts';

type CopyState = 'idle' | 'copied' | 'failed';

/** Copies, and says so for two seconds; copying again starts the two seconds anew. */
export function useCopied(): { state: CopyState; copy: (text: string | Promise<string>) => void } {
  const [outcome, setOutcome] = useState<{ state: CopyState; times: number }>({ state: 'idle', times: 0 });
  useEffect(() => {
    if (outcome.state === 'idle') return;
    const timer = setTimeout(() => setOutcome((last) => ({ ...last, state: 'idle' })), UI.copyFeedback);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (text: string | Promise<string>) => {
    const say = (state: CopyState) => setOutcome((last) => ({ state, times: last.times + 1 }));
    const copying = typeof text === 'string' ? copyText(text) : text.then(copyText);
    copying.then(
      (done) => say(done ? 'copied' : 'failed'),
      () => say('failed'),
    );
  };
  return { state: outcome.state, copy };
}
