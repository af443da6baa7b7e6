import { useState } from 'react';
import type { PointerEvent } from 'react';
import type { Plot } from './points/chart-shape.ts';
import { cursor } from '../../state/chart-cursor.ts';

/** A drag shorter than this is a click. */
const SLIP_PX = 6;

interface Drag {
  from: number;
  to: number;
  /** A finger scrolls the page; it taps, and drags nothing out. */
  touch: boolean;
}

interface Touched {
  onBrush: ((from: number, to: number) => void) | undefined;
  onMoment: ((at: number) => void) | undefined;
}

const isSlip = ({ from, to }: Drag) => Math.abs(to - from) < SLIP_PX;

/** Pointer over the plot: moves the page's cursor, picks a moment by a click, and drags out a stretch of time. */
export function useBrush(plot: Plot, { onBrush, onMoment }: Touched) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const place = (event: PointerEvent<SVGRectElement>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  return {
    drag: drag === null || drag.touch || onBrush === undefined ? null : drag,
    handlers: {
      onPointerDown(event: PointerEvent<SVGRectElement>) {
        if (event.button !== 0) return;
        const touch = event.pointerType === 'touch';
        if (!touch) event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: place(event), to: place(event), touch });
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
        setDrag(null);
        if (drag === null) return;
        if (isSlip(drag)) {
          onMoment?.(plot.timeAt(drag.from));
        } else if (!drag.touch) {
          const [left, right] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
          onBrush?.(Math.floor(plot.timeAt(left)), Math.ceil(plot.timeAt(right)));
        }
      },
      onPointerCancel() {
        setDrag(null);
      },
    },
  };
}
