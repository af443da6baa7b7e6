import { useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { printing } from '../../state/printing.ts';
import { useStored } from '../../state/use-stored.ts';
import { rowWindow } from '../../components/fleet/row-window.ts';
import type { RowWindow } from '../../components/fleet/row-window.ts';

/** Above this many rows a table draws only those in sight. */
export const DRAWN_WHOLE = 100;

/** The rows of a scroller to draw: all of a short table, those in sight of a long one. */
export function useRowWindow<T extends HTMLElement>(count: number, rowPx: number): [RefObject<T | null>, RowWindow] {
  const ref = useRef<T>(null);
  const [all] = useStored(printing);
  const whole = all || count <= DRAWN_WHOLE;
  const [sight, setSight] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null || whole) return undefined;
    // Half a row of movement changes nothing that is drawn.
    const look = () =>
      setSight((before) => {
        const top = Math.floor(element.scrollTop / rowPx) * rowPx;
        const height = element.clientHeight;
        return before.top === top && before.height === height ? before : { top, height };
      });
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [whole, rowPx]);
  if (whole) return [ref, { first: 0, end: count, above: 0, below: 0 }];
  return [ref, rowWindow(count, rowPx, sight.top, sight.height)];
}
