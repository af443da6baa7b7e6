import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diskAt } from '../runtime/disk.ts';
import { writeStatus } from '../send/status.ts';
import { enrolled, installed, plimsoll } from '../testing/command.ts';
import { SERVER_ID } from '../testing/loopback-api.ts';
import { statusOf } from '../testing/status.ts';

it('of a host that reports is 0 and says since when', async () => {
  const host = enrolled({ url: 'https://plimsoll.example' });
  writeStatus(diskAt(host.state), statusOf({ pid: process.pid }));
  const { status, out, err } = await plimsoll(['status', ...host.config]);
  expect([status, err]).toEqual([0, '']);
  expect(out.split('\n')).toEqual([
    `ok    enrolment: server ${SERVER_ID}, reports to https://plimsoll.example`,
    `ok    service: version 1.2.3 runs as pid ${process.pid}`,
    expect.stringMatching(/^ok {4}delivery: accepted \d{1,2} s ago; 0 reports wait$/),
    '',
  ]);
});

it('names each source that failed or could say more', async () => {
  const host = enrolled();
  const sources = {
    cpu: { ok: true, duration_ms: 1, error: null },
    filesystem: { ok: true, duration_ms: 2000, error: '/mnt/nas: mount does not answer within 2000 ms' },
    memory: { ok: false, duration_ms: 1, error: '/proc/meminfo has no "MemTotal" line' },
  };
  writeStatus(diskAt(host.state), statusOf({ pid: process.pid, sources }));
  const { status, out } = await plimsoll(['status', ...host.config]);
  expect(status).toBe(1);
  expect(out).toContain('warn  source filesystem: /mnt/nas: mount does not answer within 2000 ms\n');
  expect(out).toContain(
    'FAIL  source memory: /proc/meminfo has no "MemTotal" line\n      → Leave it out with disabled_sources = memory',
  );
  expect(out).not.toContain('source cpu');
});

it('warnings alone are no failure', async () => {
  const host = enrolled();
  const sources = { units: { ok: true, duration_ms: 1, error: 'systemd does not run here' } };
  writeStatus(diskAt(host.state), statusOf({ pid: process.pid, accepted_at: null, sources }));
  const { status, out } = await plimsoll(['status', ...host.config]);
  expect([status, out.match(/^warn/gm)]).toEqual([0, ['warn', 'warn']]);
});

it.each([
  ['is not enrolled', () => installed(), 'FAIL  enrolment: this host is not enrolled'],
  ['never ran', () => enrolled(), 'FAIL  service: no collector has run with this state directory'],
])('of a host that %s is 1 and says what to do', async (_what, host, finding) => {
  const { status, out } = await plimsoll(['status', ...host().config]);
  expect([status, out]).toEqual([1, expect.stringContaining(finding)]);
  expect(out).toContain('      → ');
});

it('makes no state directory by looking', async () => {
  const { state, config } = installed();
  await plimsoll(['status', ...config]);
  await plimsoll(['status', '--json', ...config]);
  expect(existsSync(state)).toBe(false);
});

it('--json is what the collector wrote down, or null and 1', async () => {
  const host = enrolled();
  expect(await plimsoll(['status', '--json', ...host.config])).toEqual({ status: 1, out: 'null\n', err: '' });
  const written = statusOf({ pid: process.pid, pending: 4 });
  writeStatus(diskAt(host.state), written);
  const { status, out } = await plimsoll(['status', '--json', ...host.config]);
  expect([status, JSON.parse(out)]).toEqual([0, written]);
});

it.each(['', '{', 'null', '[]', '{"pid":1}', '{"pid":"1","sources":{}}'])(
  'takes a status file that says %j for none',
  async (text) => {
    const host = enrolled();
    writeFileSync(join(host.state, 'status.json'), text);
    const { status, out } = await plimsoll(['status', ...host.config]);
    expect([status, out]).toEqual([1, expect.stringContaining('no collector has run')]);
  },
);
