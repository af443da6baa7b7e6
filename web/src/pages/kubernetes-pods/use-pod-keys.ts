import { useEffect, useRef } from 'react';

interface PodKeys {
  /** Keys of the pods on the page, in their order. */
  keys: readonly string[];
  open: string | null;
  onOpen: (key: string | null) => void;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** While a pod stands open: Esc closes it, the arrows go to the row above and below. */
export function usePodKeys({ keys, open, onOpen }: PodKeys): void {
  // The page follows a key a moment later; a second key goes on from where the first one went.
  const at = useRef(open);
  useEffect(() => {
    at.current = open;
  }, [open]);
  useEffect(() => {
    if (open === null) return;
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') return onOpen(null);
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const next = keys[keys.indexOf(at.current ?? open) + step];
      if (step === 0 || next === undefined) return;
      event.preventDefault();
      at.current = next;
      onOpen(next);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [keys, open, onOpen]);
}
