import type { Status } from '../send/status.ts';
import { SERVER_ID } from './loopback-api.ts';

/** Status file of a healthy collector, with changes. */
export function statusOf(change: Partial<Status>): Status {
  const now = Date.now() / 1000;
  return {
    version: '1.2.3',
    pid: 1,
    server_id: SERVER_ID,
    interval_seconds: 60,
    started_at: now - 600,
    collected_at: now - 5,
    accepted_at: now - 5,
    pending: 0,
    spool_bytes: 0,
    retries: 0,
    last_error: null,
    clock_skew_seconds: 0,
    sources: {},
    ...change,
  };
}
