import type { Alert } from '@plimsoll/contract/alerts';
import { expect, it } from 'vitest';
import { alertMarks } from './alert-marks.ts';

it('draws an alert from its start to its end, or to now', () => {
  const alert = {
    alert_id: 'a',
    timestamp: 100,
    level: 'warning',
    status: 'active',
    resolved_at: null,
    message: 'CPU above 80 %',
    tags: { hostname: 'web' },
  } as Alert;
  expect(alertMarks([alert], 200_000)).toEqual([
    { id: 'a', from: 100, to: 200, tone: 'near', words: 'web: CPU above 80 %' },
  ]);
  const ended = { ...alert, status: 'resolved', resolved_at: '1970-01-01T00:02:30.000Z', level: 'critical' } as Alert;
  expect(alertMarks([ended], 200_000)[0]).toMatchObject({ to: 150, tone: 'over' });
});
