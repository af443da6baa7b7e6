import type { Unnumbered } from '../send/spool.ts';

/** A small report of the given moment. */
export const smallReport = (ts: number, up: number): Unnumbered => ({
  ts,
  up,
  kind: 'host',
  window_seconds: 60,
  load: { one: 0.5, five: 0.25, fifteen: 0.125 },
});

/** A report with the long lists a busy host sends: about 24 KB of JSON. */
export function fullReport(ts: number, up: number): Unnumbered {
  const processes = Array.from({ length: 100 }, (_, index) => ({
    pid: index + 1,
    name: `worker-${index}`,
    command: `/usr/bin/worker-${index} --queue=${(index * 7919 + Math.floor(ts)) % 9973} --shard ${index}`,
    user: 'www-data',
    status: 'S',
    cpu_percent: ((index * 31 + ts) % 1000) / 10,
    memory_percent: 0.5,
    memory_bytes: 1_000_000 + index * 4096,
    threads: 4,
    started_at: ts - 1000,
  }));
  const event = { id: `e${ts}`, service_name: 'cron', process_name: null, message: 'cron started', ts };
  return {
    ...smallReport(ts, up),
    processes,
    events: [{ ...event, event_type: 'service_start', severity: 'info' }],
  };
}

/** Streams with distinct names. */
export function countedStreams(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return count.toString(16).padStart(32, '0');
  };
}
