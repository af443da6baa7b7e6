import type { StatusIncidentOnWire } from '@plimsoll/contract/wire/checks/status-incidents';
import { incidentChangeRequest } from '@plimsoll/contract/wire/checks/status-incidents';
import { describe, expect, it } from 'vitest';
import { incidentBodyOf, incidentDraftOf, KEEP, NEXT_UPDATES, nextUpdateAt, partsOf } from './incident-draft.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const STORED_END = '2026-11-20T14:30:00.000Z';
const id = (last: number) => `00000000-0000-4000-8000-00000000000${String(last)}`;
const server = (last: number, label: string | null = null, group: string | null = null) => ({
  server_id: id(last),
  hostname: `web-0${String(last)}`,
  label,
  group,
});
const check = (last: number, label: string | null = null, group: string | null = null) => ({
  check_id: id(last),
  name: `check ${String(last)}`,
  label,
  group,
});
const INCIDENT: StatusIncidentOnWire = {
  incident_id: id(9),
  title: 'Slow checkout',
  impact: 'offline',
  state: 'investigating',
  server_ids: [id(1)],
  check_ids: [id(5)],
  started_at: '2026-11-20T11:00:00.000Z',
  resolved_at: null,
  next_update_at: STORED_END,
  updates: [],
  created_by: null,
};
const PAGE = { servers: [server(1), server(2)], checks: [check(5), check(6)] };

describe('the promise of a next update', () => {
  it('is kept to the second where nobody chose another one', () => {
    expect(nextUpdateAt(KEEP, STORED_END, NOW)).toBe(STORED_END);
    expect(nextUpdateAt(KEEP, null, NOW)).toBeNull();
  });

  it('counts minutes from now', () => {
    expect(nextUpdateAt('15', STORED_END, NOW)).toBe('2026-11-20T12:15:00.000Z');
    expect(nextUpdateAt('240', null, NOW)).toBe('2026-11-20T16:00:00.000Z');
  });

  it('can be taken back', () => {
    expect(nextUpdateAt('', STORED_END, NOW)).toBeNull();
  });

  it.each(NEXT_UPDATES)('$label is the time that its choice makes', ({ value, label }) => {
    const at = nextUpdateAt(value, null, NOW);
    const minutes = at === null ? null : (Date.parse(at) - NOW) / 60_000;
    const [, count, unit = ''] = /(\d+) (minutes|hours?)/.exec(label) ?? [];
    expect(minutes).toBe(count === undefined ? null : Number(count) * (unit.startsWith('hour') ? 60 : 1));
  });
});

describe('the form of an incident', () => {
  it('of a stored one that is sent without a change changes nothing', () => {
    const draft = incidentDraftOf(INCIDENT);
    expect(draft.next).toBe(KEEP);
    expect(incidentBodyOf(draft, PAGE, INCIDENT.next_update_at, NOW)).toEqual({
      title: 'Slow checkout',
      impact: 'offline',
      server_ids: [id(1)],
      check_ids: [id(5)],
      next_update_at: STORED_END,
    });
  });

  it('makes no promise for an incident without one, and proposes one for a new incident', () => {
    expect(incidentDraftOf({ ...INCIDENT, next_update_at: null }).next).toBe('');
    expect(incidentDraftOf(null)).toMatchObject({ title: '', memberIds: [], next: '30' });
  });

  it('leaves out what left the page: the API would refuse the whole change', () => {
    const draft = { ...incidentDraftOf(INCIDENT), memberIds: [id(3), id(1), id(8), id(6)] };
    const body = incidentBodyOf(draft, PAGE, null, NOW);
    expect([body.server_ids, body.check_ids]).toEqual([[id(1)], [id(6)]]);
  });

  it('sends what the API takes, without the spaces around a title', () => {
    const body = incidentBodyOf({ ...incidentDraftOf(INCIDENT), title: '  Slow ' }, PAGE, null, NOW);
    expect(body.title).toBe('Slow');
    expect(incidentChangeRequest.safeParse({ ...body, started_at: INCIDENT.started_at }).success).toBe(true);
  });
});

describe('the parts of a page', () => {
  it('are its servers and checks, each by its public name or the one that members see', () => {
    expect(partsOf({ servers: [server(1, 'Shop'), server(2)], checks: [check(5)] })).toEqual([
      { name: 'Shop', memberIds: [id(1)] },
      { name: 'web-02', memberIds: [id(2)] },
      { name: 'check 5', memberIds: [id(5)] },
    ]);
  });

  it('join servers and checks of one name in one group, and nothing of another group', () => {
    const parts = partsOf({
      servers: [server(1, 'Shop', 'EU'), server(2, 'Shop', 'US'), server(3, 'Shop')],
      checks: [check(5, 'Shop', 'EU')],
    });
    expect(parts).toEqual([
      { name: 'Shop (EU)', memberIds: [id(1), id(5)] },
      { name: 'Shop (US)', memberIds: [id(2)] },
      { name: 'Shop', memberIds: [id(3)] },
    ]);
  });

  it('are not joined by a hostname: two machines of one name are two parts', () => {
    const twins = [server(1), { ...server(2), hostname: 'web-01' }];
    expect(partsOf({ servers: twins, checks: [] })).toHaveLength(2);
  });

  it('cannot be joined by a group and a name that read the same when put together', () => {
    const parts = partsOf({ servers: [server(1, 'b","c', 'a'), server(2, 'c', 'a","b')], checks: [] });
    expect(parts.map(({ memberIds }) => memberIds)).toEqual([[id(1)], [id(2)]]);
  });
});
