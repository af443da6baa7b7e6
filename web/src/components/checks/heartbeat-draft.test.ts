import { checkRequest, type CheckDetail } from '@plimsoll/contract/wire/checks/checks';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  heartbeatDraftOf,
  heartbeatField,
  heartbeatProblems,
  heartbeatRequest,
  newHeartbeat,
} from './heartbeat-draft.ts';

const schedule = fc.oneof(
  fc.record({ kind: fc.constant('interval' as const), seconds: fc.integer({ min: 60, max: 31_536_000 }) }),
  fc.record({
    kind: fc.constant('cron' as const),
    expression: fc.constantFrom('30 2 * * *', '*/5 * * * 1-5'),
    zone: fc.constantFrom('UTC', 'America/New_York'),
  }),
);
const heartbeat = fc.record({ schedule, grace_seconds: fc.integer({ min: 0, max: 604_800 }) });

it('sends a heartbeat that nobody changed as it is stored', () => {
  fc.assert(
    fc.property(heartbeat, fc.boolean(), (stored, isEnabled) => {
      const check = { name: 'backup', is_enabled: isEnabled, heartbeat: stored, server_id: null } as CheckDetail;
      const draft = heartbeatDraftOf(check, 'Europe/Berlin');
      expect(heartbeatProblems(draft)).toEqual({});
      expect(checkRequest.parse(heartbeatRequest(draft, check))).toMatchObject(check);
    }),
  );
});

it('names every field that cannot be sent', () => {
  const draft = { ...newHeartbeat('UTC'), every: 'daily', grace: '' };
  expect(Object.keys(heartbeatProblems(draft))).toEqual(['name', 'every', 'grace']);
  expect(Object.keys(heartbeatProblems({ ...draft, name: 'x', kind: 'cron', grace: '0 s' }))).toEqual(['expression']);
});

it('shows an error of the API beside its field, so that a wrong grace is not looked for in the schedule', () => {
  const fields = ['name', 'heartbeat.schedule.seconds', 'heartbeat.schedule.expression', 'heartbeat.schedule.zone'];
  expect(fields.map(heartbeatField)).toEqual(['name', 'every', 'expression', 'zone']);
  expect([heartbeatField('heartbeat.grace_seconds'), heartbeatField('limit'), heartbeatField(null)]).toEqual([
    'grace',
    null,
    null,
  ]);
});

it('proposes the zone of the reader only to a schedule that has none of its own', () => {
  const cron = { kind: 'cron' as const, expression: '0 2 * * *', zone: 'Asia/Tokyo' };
  const of = (stored: object | null) =>
    heartbeatDraftOf({ name: 'backup', heartbeat: stored } as CheckDetail, 'Europe/Berlin').zone;
  expect(of({ schedule: cron, grace_seconds: 60 })).toBe('Asia/Tokyo');
  expect(of(null)).toBe('Europe/Berlin');
});
