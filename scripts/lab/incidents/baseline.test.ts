import { expect, test } from 'vitest';
import { namedByEvents, namedByJournal } from './baseline.ts';

const event = (kind: string, name: string, count?: number) => ({
  involvedObject: { kind, name, namespace: 'shop-1' },
  ...(count === undefined ? {} : { count }),
});

test('names the object with the most Warning events, pods of one workload together', () => {
  const events = [
    event('Pod', 'cart-6d5f9c7b8d-aaaaa', 3),
    event('Pod', 'orders-6d5f9c7b8d-bbbbb', 2),
    event('Pod', 'orders-6d5f9c7b8d-ccccc', 2),
  ];
  expect(namedByEvents(events)).toMatchObject([{ kind: 'pod', name: 'orders-6d5f9c7b8d-bbbbb' }]);
  expect(namedByEvents([])).toEqual([]);
});

test('names the Deployment of a ReplicaSet, and the kind of an object that has none of its own', () => {
  expect(namedByEvents([event('ReplicaSet', 'cart-6d5f9c7b8d', 9)])).toMatchObject([
    { kind: 'workload', name: 'cart' },
  ]);
  expect(namedByEvents([event('Ingress', 'web')])).toMatchObject([{ kind: 'object', object_kind: 'Ingress' }]);
  const series = { ...event('Node', 'worker'), series: { count: 7 } };
  expect(namedByEvents([event('Pod', 'a-0', 6), series])).toMatchObject([{ kind: 'node', name: 'worker' }]);
});

test('names the unit with the most lines of the journal, also where systemd writes about it', () => {
  const lines = [
    { UNIT: 'web.service', SYSLOG_IDENTIFIER: 'systemd', _SYSTEMD_UNIT: 'init.scope' },
    { UNIT: 'web.service', SYSLOG_IDENTIFIER: 'systemd', _SYSTEMD_UNIT: 'init.scope' },
    { _SYSTEMD_UNIT: 'cron.service', SYSLOG_IDENTIFIER: 'CRON' },
  ];
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  expect(namedByJournal(text)).toMatchObject([{ kind: 'unit', name: 'web.service' }]);
  expect(namedByJournal('')).toEqual([]);
});
