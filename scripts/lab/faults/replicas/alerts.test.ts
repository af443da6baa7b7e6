import { expect, it } from 'vitest';
import { deliveriesOf, doubledOf, judgeAlerts, type StoredAlert } from './alerts.ts';

const alert = (id: string, serverId: string, metric = 'cpu_usage'): StoredAlert => ({
  id,
  serverId,
  metric,
  openedAt: new Date('2026-11-26T03:16:00Z'),
  resolvedAt: null,
});
const busy = (...ids: string[]) => ids.map((serverId) => ({ serverId, metric: 'cpu_usage' }));
const both = (id: string) => ['firing', 'resolved'].map((state) => ({ alertId: id, state }));

it('holds where each server has its one alert, delivered once at its begin and at its end', () => {
  expect(judgeAlerts(busy('a', 'b'), [alert('1', 'a'), alert('2', 'b')], [...both('1'), ...both('2')])).toMatchObject({
    isHeld: true,
  });
});

it.each([
  ['a lost alert', busy('a', 'b'), [alert('1', 'a')], both('1'), { lost: 1 }],
  [
    'an alert that opened twice',
    busy('a'),
    [alert('1', 'a'), alert('2', 'a')],
    [...both('1'), ...both('2')],
    { doubled: 1 },
  ],
  ['an alert of a quiet server', busy('a'), [alert('1', 'a'), alert('2', 'b')], both('1'), { untrue: 1 }],
  ['an alert of another metric', busy('a'), [alert('1', 'a'), alert('2', 'a', 'offline')], both('1'), { untrue: 1 }],
  ['an end that was not delivered', busy('a'), [alert('1', 'a')], both('1').slice(0, 1), { undelivered: 1 }],
  ['a message that came twice', busy('a'), [alert('1', 'a')], [...both('1'), ...both('1')], { deliveredAgain: 2 }],
  ['no reason for any alert', [], [], [], {}],
])('does not hold with %s', (_name, due, stored, deliveries, counts) => {
  expect(judgeAlerts(due, stored, deliveries)).toMatchObject({ isHeld: false, ...counts });
});

it('reads every alert of a webhook', () => {
  const body = JSON.stringify({ alerts: [{ alert_id: '1', state: 'firing', text: 'CPU' }] });
  expect(deliveriesOf([body, body])).toEqual([
    { alertId: '1', state: 'firing' },
    { alertId: '1', state: 'firing' },
  ]);
});

it('names the alerts that opened twice, with their times', () => {
  const ended = { ...alert('1', 'a'), resolvedAt: new Date('2026-11-26T03:17:00Z') };
  const again = { ...alert('2', 'a'), openedAt: new Date('2026-11-26T03:18:00Z') };
  expect(doubledOf([ended, again, alert('3', 'b'), alert('4', 'a', 'offline')])).toEqual([
    'a cpu_usage: 2026-11-26T03:16:00.000Z to 2026-11-26T03:17:00.000Z, 2026-11-26T03:18:00.000Z to now',
  ]);
});
