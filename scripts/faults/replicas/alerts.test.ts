import { expect, it } from 'vitest';
import { deliveriesOf, judgeAlerts, type StoredAlert } from './alerts.ts';

const alert = (id: string, serverId: string, metric = 'cpu_usage'): StoredAlert => ({ id, serverId, metric });
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
