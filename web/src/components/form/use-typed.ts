import { useEffect, useState } from 'react';

/** Milliseconds without a keystroke after which the server is asked. */
const TYPING_PAUSE_MS = 250;

/** Shows typed text at once and applies it after a pause. */
export function useTyped(value: string, onSettled: (value: string) => void): [string, (value: string) => void] {
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => {
      onSettled(typed);
      setTyped(null);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, onSettled]);
  return [typed ?? value, setTyped];
}
