import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import { describe, expect, it } from 'vitest';
import { sampleChange } from '../../testing/sample-change.ts';
import { chosenZone } from '../../time/zone.ts';
import { changeMarks, repeatedEvents } from './change-marks.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

describe('marks of changes', () => {
  it('stand at the time of the change and say what it was', () => {
    expect(changeMarks([sampleChange({ id: '7', at: at(1000) })])).toMatchObject([
      { id: 'change-7', from: 1000, to: null, tone: 'event', words: expect.stringContaining('image 1.9.1 → 1.9.2') },
    ]);
  });

  it('have their day, where that is not today, in the zone of the reader', () => {
    const wordsIn = (zone: string) => {
      chosenZone.set(zone);
      const [mark] = changeMarks([sampleChange({ at: '2026-01-02T23:30:00.000Z' })]);
      chosenZone.set(null);
      return mark?.words ?? '';
    };
    expect(wordsIn('UTC')).toMatch(/^2 Jan 23:30 /);
    expect(wordsIn('Asia/Tokyo')).toMatch(/^3 Jan 08:30 /);
  });

  it('take the place of an event that says the same at the same moment', () => {
    const event = (id: string, type: ActivityEvent['event_type'], timestamp: number) =>
      ({ id, event_type: type, timestamp }) as ActivityEvent;
    const events = [
      event('same', 'update_installed', 1060),
      event('later', 'update_installed', 5000),
      event('other', 'process_crash', 1000),
    ];
    const changes = [sampleChange({ kind: 'packages', at: at(1000) })];
    expect([...repeatedEvents(events, changes)]).toEqual(['same']);
  });
});
