import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ChartMarker } from '../chart/markers/cluster-markers.ts';
import { draw } from '../../testing/draw.tsx';
import { chosenZone } from '../../time/zone.ts';
import { TimeScrubber } from './time-scrubber.tsx';

const HOUR = 3600;
/** 2026-01-31T10:00:00Z */
const NOW = 1_769_853_600;
const FROM = NOW - 24 * HOUR;
const MARKS: ChartMarker[] = [
  { id: 'a', from: NOW - 6 * HOUR + 10, to: NOW - 5 * HOUR, tone: 'over', words: 'db-fra-01: CPU above 95 %' },
];

function Track() {
  const [at, setAt] = useState<number | null>(null);
  return (
    <div style={{ width: 960, paddingTop: 60 }}>
      <TimeScrubber from={FROM} now={NOW} at={at} marks={MARKS} onChange={setAt} />
      <output aria-label="chosen">{at ?? 'now'}</output>
    </div>
  );
}
const slider = () => page.getByRole('slider', { name: 'Look back' });
const chosen = () => page.getByRole('status', { name: 'chosen' });
/** A press or a move on the track, `hours` before now. */
function pointer(type: string, hours: number, pointerType = 'mouse') {
  const element = slider().element();
  const { left, top, width } = element.getBoundingClientRect();
  element.dispatchEvent(
    new PointerEvent(type, {
      bubbles: true,
      pointerId: 1,
      pointerType,
      isPrimary: true,
      button: type === 'pointermove' ? -1 : 0,
      buttons: 1,
      clientX: left + width * (1 - hours / 24),
      clientY: top + 20,
    }),
  );
}

describe('the scrubber', () => {
  beforeEach(() => chosenZone.set('UTC'));
  afterEach(() => chosenZone.set(null));

  it('begins at now and says the moment in words', async () => {
    await draw(<Track />);
    await expect.element(slider()).toHaveAttribute('aria-valuetext', 'Now');
    (slider().element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(chosen()).toHaveTextContent(String(NOW - 60));
    await expect.element(slider()).toHaveAttribute('aria-valuetext', '09:59, 1 min ago');
    await userEvent.keyboard('{End}');
    await expect.element(chosen()).toHaveTextContent('now');
  });

  it('jumps to an alert with Shift and an arrow', async () => {
    await draw(<Track />);
    (slider().element() as HTMLElement).focus();
    await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    await expect.element(chosen()).toHaveTextContent(String(NOW - 6 * HOUR + 60));
  });

  it.each(['mouse', 'touch'])('follows a %s to the stored minute, and snaps to a mark', async (kind) => {
    await draw(<Track />);
    const element = slider().element() as HTMLElement;
    // Events that a test makes belong to no pointer that could be captured.
    element.setPointerCapture = () => undefined;
    element.hasPointerCapture = () => true;
    pointer('pointerdown', 12, kind);
    await expect.element(chosen()).toHaveTextContent(String(NOW - 12 * HOUR));
    pointer('pointermove', 3.0001, kind);
    await expect.element(chosen()).toHaveTextContent(String(NOW - 3 * HOUR - 60));
    pointer('pointermove', 5.9, kind);
    await expect.element(chosen()).toHaveTextContent(String(NOW - 6 * HOUR + 60));
    await expect.element(page.getByText('04:01 · db-fra-01: CPU above 95 %')).toBeVisible();
    pointer('pointermove', -1, kind);
    await expect.element(chosen()).toHaveTextContent('now');
  });
});
