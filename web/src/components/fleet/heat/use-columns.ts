import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Returns how many columns of `stepPx` an element has room for; the last needs no gap behind it. */
export function useColumns<T extends HTMLElement>(stepPx: number, gapPx: number): [RefObject<T | null>, number] {
  const ref = useRef<T>(null);
  const [columns, setColumns] = useState(1);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const look = () => setColumns(Math.max(1, Math.floor((element.clientWidth + gapPx) / stepPx)));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [stepPx, gapPx]);
  return [ref, columns];
}
