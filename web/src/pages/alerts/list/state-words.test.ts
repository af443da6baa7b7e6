import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { incidentRows } from '../../../format/incident-rows.ts';
import { SAMPLE_ALERT } from '../../../testing/sample-alert.ts';
import { chosenZone } from '../../../time/zone.ts';
import { stateParts } from './state-words.ts';

const NOW = Date.parse('2026-11-22T21:00:00Z');
const OPENED = Date.parse('2026-11-22T20:00:00Z') / 1000;
const INCIDENT = { incident_id: 'i', folded: false, below: 0 };
const partsOf = (...alerts: Partial<Alert>[]): string[] => {
  const [row] = incidentRows(
    alerts.map((given, index) => ({
      ...SAMPLE_ALERT,
      alert_id: `a${String(index)}`,
      timestamp: OPENED + index,
      incident: INCIDENT,
      ...given,
    })),
  );
  return row === undefined ? [] : stateParts(row);
};

describe('the state of a row of alerts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    chosenZone.set('UTC');
  });
  afterEach(() => {
    vi.useRealTimers();
    chosenZone.set(null);
  });

  it('says how long a resolved alert lasted, by its own end', () => {
    expect(partsOf({ status: 'resolved', resolved_at: '2026-11-22T20:22:30.000Z' })).toEqual(['resolved after 22 min']);
    expect(partsOf({ status: 'resolved', resolved_at: null })).toEqual(['resolved']);
  });

  it('names the end of a silence by its time within a day, else with its day', () => {
    expect(partsOf({ silenced_until: '2026-11-23T08:00:00.000Z' })).toEqual(['nobody yet', 'silenced until 08:00']);
    expect(partsOf({ silenced_until: '2026-11-23T20:59:00.000Z' })).toContain('silenced until 20:59');
    expect(partsOf({ silenced_until: '2026-11-23T21:00:00.000Z' })).toContain('silenced until 23 Nov 21:00');
  });

  it('reads that time in the zone of the reader', () => {
    chosenZone.set('Asia/Tokyo');
    expect(partsOf({ silenced_until: '2026-11-23T08:00:00.000Z' })).toContain('silenced until 17:00');
  });

  it('names the silence that ends first: from then on the row is not silent as a whole', () => {
    const first = { silenced_until: '2026-11-23T08:00:00.000Z' };
    const later = { silenced_until: '2026-11-23T12:00:00.000Z' };
    expect(partsOf(later, first)).toContain('silenced until 08:00');
    expect(partsOf(later, {}, first)).toEqual(['nobody yet', '2 of 3 silenced']);
  });

  it('does not call a value of a silent server the present one', () => {
    expect(partsOf({ status: 'unknown' })).toEqual(['nobody yet', 'unknown, the server is silent']);
    expect(partsOf({})).toEqual(['nobody yet']);
  });

  it('names who has acknowledged it', () => {
    const seen = { acknowledged_at: '2026-11-22T20:10:00.000Z', acknowledged_by: 'Mira' };
    expect(partsOf(seen)).toEqual(['Acknowledged by Mira']);
    expect(partsOf(seen, {})).toEqual(['1 of 2 acknowledged']);
  });
});
