import type { CheckListItem } from '@plimsoll/contract/wire/checks/checks';

const AT = '2026-01-01T00:00:00.000Z';

/** A check that is up. */
export const sampleCheck = (name: string, more: Partial<CheckListItem> = {}): CheckListItem => ({
  check_id: '00000000-0000-4000-8000-0000000000dd',
  name,
  kind: 'http',
  target: `GET https://${name}`,
  is_enabled: true,
  status: 'up',
  since: AT,
  reason: null,
  http_status: null,
  checked_at: AT,
  total_ms: 212,
  certificate_days: 58,
  interval_seconds: 60,
  places: 3,
  needed: 2,
  server_id: null,
  due_at: null,
  bars: [],
  ...more,
});
