import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SAMPLE_ALERT } from '../testing/sample-alert.ts';
import { announce, incidentKey } from './announced-alerts.ts';

const anAlert = (parts: Partial<Alert>): Alert => ({ ...SAMPLE_ALERT, ...parts });
const incident = (id: string, folded = false): Alert['incident'] => ({ incident_id: id, folded, below: 0 });
const ids = (alerts: readonly Alert[]): string[] => alerts.map((alert) => alert.alert_id);

describe('alerts to announce', () => {
  it('are none of the first list, then each new one once', () => {
    const first = announce([anAlert({ alert_id: 'a' })], null);
    expect(first.fresh).toEqual([]);
    const second = announce([anAlert({ alert_id: 'a' }), anAlert({ alert_id: 'b' })], first.known);
    expect(ids(second.fresh)).toEqual(['b']);
    expect(announce([anAlert({ alert_id: 'b' })], second.known).fresh).toEqual([]);
  });

  it.each<[string, Partial<Alert>]>([
    ['a resolved one', { status: 'resolved' }],
    ['an acknowledged one', { acknowledged_at: '2026-01-01T00:00:00.000Z' }],
    ['a silenced one', { silenced_until: '2026-01-01T00:00:00.000Z' }],
    ['one that another explains', { incident: incident('i', true) }],
    ['a mere note', { level: 'info' }],
  ])('are not %s', (_name, parts) => {
    expect(announce([anAlert({ alert_id: 'a', ...parts })], new Set()).fresh).toEqual([]);
  });

  it('are one for each incident, however many lists name it', () => {
    const alert = fc.record({ alert_id: fc.uuid(), key: fc.constantFrom('i', 'j', 'k') });
    fc.assert(
      fc.property(fc.array(fc.array(alert, { maxLength: 8 }), { maxLength: 8 }), (lists) => {
        let known: ReadonlySet<string> = new Set();
        const announced: string[] = [];
        for (const list of lists) {
          const found = announce(
            list.map(({ alert_id: id, key }) => anAlert({ alert_id: id, incident: incident(key) })),
            known,
          );
          known = found.known;
          announced.push(...found.fresh.map(incidentKey));
        }
        expect(announced.toSorted()).toEqual([...new Set(lists.flat().map(({ key }) => key))].toSorted());
      }),
    );
  });
});
