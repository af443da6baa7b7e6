import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskAt } from '../runtime/disk.ts';
import { type Status, writeStatus } from '../send/status.ts';
import { enrolled, installed, type Installed, plimsoll } from '../testing/command.ts';
import { NO_DASHBOARD, serve, SERVER_ID, type Told } from '../testing/loopback-api.ts';
import { statusOf } from '../testing/status.ts';

const dashboard = async (): Promise<string> => (await serve(() => ({ status: 400, body: {} }))).url;

/** As if a collector ran well with it, but for the changes. */
const running = ({ state }: Installed, change: Partial<Status> = {}): void =>
  writeStatus(diskAt(state), statusOf({ pid: process.pid, ...change }));
const findingsOf = (out: string): string[] => out.trimEnd().split(/\n(?! {6})/);

describe('plimsoll check', () => {
  it('of a host that is well says so, line by line, and changes nothing', async () => {
    const host = enrolled({ url: await dashboard() });
    running(host);
    const before = readdirSync(host.state);
    const { status, out, err } = await plimsoll(['check', ...host.config]);
    expect([status, err]).toEqual([0, '']);
    expect(findingsOf(out).filter((line) => !/^(warn|ok {2}) {2}source /.test(line))).toEqual([
      expect.stringMatching(/^ok {4}settings: http:\S+, state in \S+$/),
      expect.stringMatching(/^ok {4}state: .* is closed to others$/),
      expect.stringMatching(/^ok {4}spool: \d+ MiB \(\d+ %\) free$/),
      `ok    enrolment: server ${SERVER_ID}`,
      expect.stringMatching(/^ok {4}server: http:\S+ answers$/),
      `ok    service: version 1.2.3 runs as pid ${process.pid}`,
      expect.stringMatching(/^ok {4}delivery: accepted \d{1,2} s ago; 0 reports wait$/),
    ]);
    expect(readdirSync(host.state)).toEqual(before);
  });

  it('of a host where nothing was done yet names each step, and makes no directory', async () => {
    const { state, config } = installed();
    const { status, out } = await plimsoll(['check', ...config]);
    expect(status).toBe(1);
    expect(findingsOf(out)).toEqual(
      expect.arrayContaining([
        `FAIL  state: ${state} is missing\n      → plimsoll enrol makes it`,
        'FAIL  enrolment: this host is not enrolled\n      → plimsoll enrol --token TOKEN (Setup page of the dashboard)',
        'FAIL  server: url is not set\n      → Set "url" in /etc/plimsoll/agent.conf or PLIMSOLL_URL',
      ]),
    );
    expect(existsSync(state)).toBe(false);
  });

  it.each<[string, (host: Installed) => void, RegExp]>([
    [
      'a state directory others may read',
      ({ state }) => chmodSync(state, 0o755),
      /^warn {2}state: (\S+) may be read by others\n {6}→ chmod 700 \1$/m,
    ],
    [
      'a damaged secret',
      ({ state }) => writeFileSync(join(state, 'agent.json'), '{}'),
      /^FAIL {2}enrolment: agent\.json in the state directory is damaged.*\n {6}→ plimsoll enrol/m,
    ],
    [
      'a collector that ended',
      (host) => running(host, { pid: 2 ** 30 }),
      /^FAIL {2}service: the collector \(pid 1073741824\) does not run any more\n {6}→ Start it: systemctl start/m,
    ],
    [
      'a collector that hangs',
      (host) => running(host, { collected_at: Date.now() / 1000 - 3600 }),
      /^FAIL {2}service: the collector hangs: nothing collected for 36\d\d s\n {6}→ Restart it/m,
    ],
    [
      'a token the server does not know',
      (host) => running(host, { last_error: 'http_401', pending: 3 }),
      /^FAIL {2}delivery: reports are not accepted \(http_401\); 3 reports wait\n {6}→ Enrol again/m,
    ],
    [
      'a private authority nobody told us of',
      (host) => running(host, { last_error: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', pending: 1 }),
      /; 1 report waits\n {6}→ The certificate is not trusted here: set ca_file/m,
    ],
    [
      'a clock that is late',
      (host) => running(host, { clock_skew_seconds: 3725.4 }),
      /^warn {2}clock: 3725 s behind the server's clock\n {6}→ timedatectl set-ntp true/m,
    ],
    [
      'a clock that is early',
      (host) => running(host, { clock_skew_seconds: -31 }),
      /^warn {2}clock: 31 s ahead of the server's clock\n/m,
    ],
    [
      'no collector that ever ran',
      () => undefined,
      /^FAIL {2}service: no collector has run with this state directory\n {6}→ Start it/m,
    ],
  ])('names %s, and the remedy', async (_what, breakIt, finding) => {
    const host = enrolled({ url: await dashboard() });
    breakIt(host);
    const { out } = await plimsoll(['check', ...host.config]);
    expect(out).toMatch(finding);
  });

  it.each<[string, Told, string, string]>([
    ['something else at this address', { status: 404, body: '' }, 'FAIL', 'is the address of the dashboard'],
    ['a redirect', { status: 301, body: '', headers: { location: '/' } }, 'FAIL', 'set "url" to where it leads'],
    ['a dashboard that is ill', { status: 500, body: {} }, 'warn', 'Reports are kept for 24 h'],
    ['a server that wants another enrolment', { status: 403, body: {} }, 'warn', 'Enrol again'],
  ])('%s', async (_what, told, mark, remedy) => {
    const { url, seen } = await serve(() => told);
    const { out } = await plimsoll(['check', ...enrolled({ url }).config]);
    const finding = findingsOf(out).find((line) => line.includes('  server: '));
    expect(finding).toMatch(new RegExp(`^${mark} {2}server: ${url}`));
    expect(finding).toContain(remedy);
    expect(seen).toEqual([{ path: '/api/agent/v1/enrol', token: undefined, body: {} }]);
  });

  it('a dashboard that is down is a fault with a reason', async () => {
    const url = NO_DASHBOARD;
    const { status, out } = await plimsoll(['check', ...enrolled({ url }).config]);
    expect([status, out]).toEqual([
      1,
      expect.stringContaining(`FAIL  server: ${url} cannot be reached (ECONNREFUSED)`),
    ]);
  });

  it('a source that is disabled under a wrong name is wrong use, with the right names', async () => {
    const { status, err } = await plimsoll(['check', ...installed({ disabled_sources: 'unit' }).config]);
    expect([status, err]).toEqual([64, expect.stringMatching(/unknown source "unit"\. Known sources: .*\bunits\b/)]);
  });

  it('a state directory that is none is a finding of its own, and the rest is looked at', async () => {
    const host = installed({ url: await dashboard() });
    writeFileSync(host.state, '');
    const { status, out } = await plimsoll(['check', ...host.config]);
    expect(status).toBe(1);
    expect(out).toMatch(/^FAIL {2}state: .*\n {6}→ Run this as root, and see that \S+ is a directory/m);
    expect(out).not.toMatch(/ (?:enrolment|service): /);
    expect(out).toMatch(/^ok {4}server: /m);
  });

  it('makes no spool: one that root made would be closed to the service', async () => {
    const host = enrolled({ url: await dashboard() });
    await plimsoll(['check', ...host.config]);
    await plimsoll(['support-bundle', ...host.config]);
    expect(readdirSync(host.state)).toEqual(['agent.json']);
  });
});
