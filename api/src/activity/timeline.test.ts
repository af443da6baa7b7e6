import { expect, it } from 'vitest';
import { countKinds, foldBursts, matchesSearch, ofEvent, ofKubernetes, type Happening } from './timeline.ts';
import type { ActivityRecord } from './types.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 20, 3);
let ids = 0;
const event = (minute: number, given: Partial<ActivityRecord> = {}): Happening => {
  ids += 1;
  return ofEvent({
    id: String(ids),
    serverId: 'a',
    hostname: 'web-1',
    at: START + minute * MINUTE,
    event_type: 'service_restart',
    service_name: 'nginx',
    process_name: null,
    message: 'nginx restarted',
    severity: 'info',
    ...given,
  });
};
const kubernetes = (minute: number, reason: string, message: string, count = 1) =>
  ofKubernetes({
    id: `${reason}${String(minute)}`,
    clusterId: 'c',
    type: 'Warning',
    reason,
    message,
    namespace: 'shop',
    kind: 'Pod',
    name: 'cart-0',
    component: 'kubelet',
    count,
    firstAt: START,
    lastAt: START + minute * MINUTE,
  });
const told = (all: readonly Happening[]) =>
  foldBursts(all).map(({ message, count, at, firstAt }) => [
    message,
    count,
    (at - START) / MINUTE,
    (firstAt - START) / MINUTE,
  ]);

it('is one row for equal entries of a burst, in the place of the newest, newest first', () => {
  const burst = [0, 10, 20, 34].map((minute) => event(minute));
  const other = event(15, { message: 'cron restarted' });
  expect(told([...burst, other])).toEqual([
    ['nginx restarted', 4, 34, 0],
    ['cron restarted', 1, 15, 15],
  ]);
});

it('begins a new row where more than 15 minutes lie between two', () => {
  expect(told([event(0), event(15), event(31)])).toEqual([
    ['nginx restarted', 1, 31, 31],
    ['nginx restarted', 2, 15, 0],
  ]);
});

it('folds over servers and over pids, and names three servers', () => {
  const all = ['a', 'b', 'c', 'd', 'a'].map((id, index) =>
    event(index, {
      serverId: id,
      hostname: `web-${id}`,
      event_type: 'process_start',
      message: `rustc (pid ${String(index)}) started`,
    }),
  );
  const [row, ...rest] = foldBursts(all);
  expect(rest).toEqual([]);
  expect([row?.count, row?.serversTotal, row?.servers.map(({ hostname }) => hostname)]).toEqual([
    5,
    4,
    ['web-a', 'web-d', 'web-c'],
  ]);
});

it('never folds different kinds or types', () => {
  const all = [event(0), event(1, { event_type: 'service_stop', message: 'nginx restarted' })];
  expect(told(all)).toHaveLength(2);
});

it.each([
  [event(0, { event_type: 'process_crash', message: 'The kernel killed a process: out of memory' }), 'oom'],
  [event(0, { event_type: 'process_crash', message: 'app.service crashed (oom-kill)' }), 'oom'],
  [event(0, { event_type: 'process_crash', message: 'app.service crashed (core-dump)' }), 'crash'],
  [event(0, { event_type: 'update_installed', message: 'Updated openssl' }), 'package'],
  [event(0, { event_type: 'process_stop', message: 'out of memory watcher ended' }), 'process'],
  [kubernetes(0, 'OOMKilling', 'Memory cgroup out of memory'), 'oom'],
  [kubernetes(0, 'BackOff', 'Back-off restarting failed container'), 'kubernetes'],
])('%o is of the kind %s', (one, kind) => expect(one.kind).toBe(kind));

it('folds the pods of one ReplicaSet, and counts them', () => {
  const shaped = (name: string): Happening =>
    ofKubernetes({
      id: name,
      clusterId: 'c',
      type: 'Warning',
      reason: 'BackOff',
      message: `Back-off restarting failed container in pod ${name}`,
      namespace: 'shop',
      kind: 'Pod',
      name,
      component: null,
      count: 40,
      firstAt: START,
      lastAt: START,
    });
  const [row, other, ...rest] = foldBursts(
    ['checkout-h3nz9-mmen6', 'checkout-h3nz9-n3iza', 'cart-abc12-zzzzz'].map(shaped),
  );
  expect([row?.objectsTotal, row?.count, other?.objectsTotal, rest]).toEqual([1, 40, 2, []]);
});

it('counts what a Kubernetes event counts itself', () => {
  expect(told([kubernetes(9, 'BackOff', 'Back-off 5m0s', 40)])).toEqual([['Back-off 5m0s', 40, 9, 0]]);
});

it('finds every word, in message, type, host and object', () => {
  const one = kubernetes(0, 'BackOff', 'Back-off restarting');
  expect(['', 'cart', 'backoff SHOP', 'cart nginx'].map((words) => matchesSearch(one, words))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(matchesSearch(event(0), 'web-1 nginx')).toBe(true);
});

it('counts each kind before folding', () => {
  const counts = countKinds([event(0), event(1), kubernetes(0, 'BackOff', 'x')]).filter(({ count }) => count > 0);
  expect(counts).toEqual([
    { kind: 'kubernetes', count: 1 },
    { kind: 'service', count: 2 },
  ]);
});
