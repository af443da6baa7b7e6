import { expect, it } from 'vitest';
import { parseMachine } from '../../testing/machine.ts';
import { userNames } from './users.ts';

const { files } = parseMachine(
  'Line: etc/passwd root:x:0:0::/root:/bin/sh\nSymlinkTo: run/systemd/dynamic-uid/direct:61184 promtail\n',
);

it('names users that systemd made for a service, and asks for each id once a minute', () => {
  const asked: string[] = [];
  const link = (path: string): string | null => (asked.push(path), files.link(path));
  let up = 0;
  const nameOf = userNames({ ...files, link }, () => up);
  expect([nameOf(0), nameOf(61_184), nameOf(61_184), nameOf(70_000)]).toEqual([
    'root',
    'promtail',
    'promtail',
    '70000',
  ]);
  expect(asked).toHaveLength(2);
  up = 60;
  expect(nameOf(61_184)).toBe('promtail');
  expect(asked).toHaveLength(3);
});
