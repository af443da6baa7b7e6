import { useEffectEvent, useLayoutEffect } from 'react';
import { afterKey, paletteQuery } from './palette-query.ts';

/** Stands where the palette will be: what is typed meanwhile is kept for it and reaches no field behind it. */
export function PaletteComing({ onClose }: { onClose: () => void }) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const text = afterKey(paletteQuery.get(), event);
    if (event.key === 'Escape') onClose();
    else if (text === null) return;
    else paletteQuery.set(text);
    event.preventDefault();
    event.stopPropagation();
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
  return null;
}
