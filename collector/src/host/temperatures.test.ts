import { expect, it } from 'vitest';
import { fakeFiles } from '../testing/captured.ts';
import { temperatureSource } from './temperatures.ts';

it.each([
  ['a machine', {}, [91]],
  ['a container, which sees the sensors of its host', { '.dockerenv': '' }, []],
  ['a container of LXC', { 'run/systemd/container': 'lxc\n' }, []],
])('has the temperatures of %s', async (_, marks, expected) => {
  const chip = { 'sys/class/hwmon/hwmon0/name': 'k10temp\n', 'sys/class/hwmon/hwmon0/temp1_input': '91000\n' };
  const { part } = await temperatureSource(fakeFiles({ ...chip, ...marks })).read({ ts: 0, up: 1 });
  expect(part.temperatures?.map(({ celsius }) => celsius)).toEqual(expected);
});
