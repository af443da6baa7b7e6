import { useState } from 'react';
import type { PointerEvent } from 'react';
import type { Plot } from '../../lib/chart-shape.ts';
import { cursor } from '../../lib/cursor.ts';

/** A drag shorter than this is a click. */
const SLIP_PX = 6;

interface Drag {
  from: number;
  to: number;
}

/** Pointer over the plot: moves the page's cursor, and drags out a stretch of time. */
export function useBrush(plot: Plot, onBrush: ((from: number, to: number) => void) | undefined) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const place = (event: PointerEvent<SVGRectElement>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  return {
    drag,
    handlers: {
      onPointerDown(event: PointerEvent<SVGRectElement>) {
        if (onBrush === undefined || event.button !== 0 || event.pointerType === 'touch') return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: place(event), to: place(event) });
      },
      onPointerMove(event: PointerEvent<SVGRectElement>) {
        const x = place(event);
        cursor.set(plot.timeAt(x));
        setDrag((open) => (open === null ? null : { ...open, to: Math.min(plot.width, Math.max(0, x)) }));
      },
      onPointerLeave() {
        cursor.set(null);
      },
      onPointerUp() {
        if (drag !== null && Math.abs(drag.to - drag.from) >= SLIP_PX) {
          const [left, right] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
          onBrush?.(Math.floor(plot.timeAt(left)), Math.ceil(plot.timeAt(right)));
        }
        setDrag(null);
      },
      onPointerCancel() {
        setDrag(null);
      },
    },
  };
}
