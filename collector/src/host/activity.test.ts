import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, processChanges, unitChanges } from './activity-changes.ts';
import { describePackages, PACKAGE_LOGS } from './tables/package-log.ts';
import type { ProcessSeen } from './tables/process-list.ts';
import type { UnitSeen } from './tables/unit-list.ts';
import { capturedText, fakeFiles } from '../testing/captured.ts';
import { activitySource, toEvents } from './activity.ts';
import { parseShow, shapeUnits, unitSource } from './units.ts';

const HOST = 'debian-12-systemd';
const first = parseShow(capturedText(HOST, 'systemctl-show.txt'));
const later = parseShow(capturedText(HOST, 'systemctl-show.later.txt'));

const unit = (change: Partial<UnitSeen>): UnitSeen => ({
  name: 'web.service',
  state: 'active',
  subState: 'running',
  restarts: 0,
  result: 'success',
  startedMark: 100,
  mainPid: 7,
  ...change,
});
const process = (change: Partial<ProcessSeen>): ProcessSeen => ({
  pid: 7,
  startTicks: 1,
  name: 'worker',
  state: 'S',
  cpuTicks: 0,
  threads: 1,
  residentPages: 10,
  cpuPercent: 0,
  ...change,
});
const said = (changes: readonly Change[]): string[] =>
  changes.map(({ event_type, message, severity }) => `${event_type}|${severity}|${message}`);

describe('units', () => {
  it('reads what systemctl printed on a real host', () => {
    expect(first.length).toBeGreaterThan(10);
    expect(first.find(({ name }) => name === 'systemd-user-sessions.service')).toEqual({
      name: 'systemd-user-sessions.service',
      state: 'active',
      subState: 'exited',
      restarts: 0,
      result: 'success',
      startedMark: expect.any(Number),
      mainPid: null,
    });
  });

  it('puts what failed first', () => {
    const units = shapeUnits([
      unit({ name: 'a' }),
      unit({ name: 'b', state: 'inactive' }),
      unit({ name: 'c', state: 'failed' }),
    ]);
    expect(units.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  });

  it('asks systemd once a reading, and says when there is none', async () => {
    const calls: string[] = [];
    const exec = async (file: string, argv: readonly string[]): Promise<string> => {
      calls.push(`${file} ${argv.slice(0, 2).join(' ')}`);
      return capturedText(HOST, 'systemctl-show.txt');
    };
    const source = unitSource(fakeFiles({ 'run/systemd/system': '' }), exec);
    expect((await source.read({ ts: 0, up: 0 })).part.units).toHaveLength(first.length);
    expect(calls).toEqual(['systemctl show *.service']);
    const none = unitSource(fakeFiles({}), exec);
    expect(await none.read({ ts: 0, up: 0 })).toEqual({ part: {}, note: 'systemd does not run here' });
    expect(none.seen()).toBeNull();
  });
});

describe('unitChanges', () => {
  it('finds what changed between two captured readings', () => {
    const changes = unitChanges(first, later);
    const started = later.filter(
      ({ name, state, startedMark }) =>
        state === 'active' && first.find((one) => one.name === name)?.startedMark !== startedMark,
    );
    const told = changes.flatMap(({ service_name }) => service_name ?? []);
    expect(told).toEqual(expect.arrayContaining(started.map(({ name }) => name)));
    expect(unitChanges(first, first)).toEqual([]);
  });

  it.each([
    ['started', [unit({ state: 'inactive' })], [unit({})], ['service_start|info|web.service started']],
    ['new and running', [], [unit({})], ['service_start|info|web.service started']],
    ['stopped', [unit({})], [unit({ state: 'inactive' })], ['service_stop|info|web.service stopped']],
    ['gone', [unit({})], [], ['service_stop|info|web.service stopped']],
    ['restarted', [unit({})], [unit({ startedMark: 200 })], ['service_restart|info|web.service restarted']],
    [
      'restarted by its manager',
      [unit({})],
      [unit({ restarts: 3, startedMark: 200 })],
      ['service_restart|warning|web.service was restarted by its manager 3 times'],
    ],
    [
      'crashed and restarted',
      [unit({})],
      [unit({ restarts: 1, startedMark: 200, result: 'core-dump' })],
      [
        'process_crash|error|web.service crashed (core-dump)',
        'service_restart|warning|web.service was restarted by its manager',
      ],
    ],
    [
      'failed',
      [unit({})],
      [unit({ state: 'failed', result: 'exit-code' })],
      ['service_stop|error|web.service failed (exit-code)'],
    ],
    ['still failed', [unit({ state: 'failed', result: 'signal' })], [unit({ state: 'failed', result: 'signal' })], []],
    ['unchanged', [unit({})], [unit({})], []],
  ] as [string, UnitSeen[], UnitSeen[], string[]][])('%s', (_what, before, now, expected) => {
    expect(said(unitChanges(before, now))).toEqual(expected);
  });
});

describe('processChanges', () => {
  const watch = { names: new Set(['worker']), top: new Set([9]), busyPercent: 25 };

  it('tells of watched ones that come and go', () => {
    expect(said(processChanges([], [process({})], watch))).toEqual(['process_start|info|worker (pid 7) started']);
    expect(said(processChanges([process({})], [], watch))).toEqual(['process_stop|warning|worker (pid 7) ended']);
  });

  it('takes a reused pid for two processes', () => {
    const changes = processChanges([process({})], [process({ startTicks: 2 })], watch);
    expect(changes.map(({ event_type }) => event_type)).toEqual(['process_start', 'process_stop']);
  });

  it('tells of top ones that end and of busy ones that begin, and of no others', () => {
    const [top, other] = [process({ pid: 9, name: 'db' }), process({ pid: 10, name: 'ls' })];
    expect(said(processChanges([top, other], [], watch))).toEqual(['process_stop|info|db (pid 9) ended']);
    const busy = process({ pid: 11, name: 'burn', cpuPercent: 99 });
    expect(said(processChanges([], [other, busy], watch))).toEqual(['process_start|info|burn (pid 11) started']);
  });

  it('makes one event of many of one name', () => {
    const many = Array.from({ length: 40 }, (_, index) => process({ pid: index, startTicks: index }));
    expect(said(processChanges([], many, watch))).toEqual(['process_start|info|40 processes worker started']);
  });
});

describe('package logs', () => {
  const parse = (path: string, line: string): string | null =>
    PACKAGE_LOGS.find((log) => log.path === path)!.parse(line);

  it.each([
    ['var/log/dpkg.log', '2026-11-20 22:18:20 install man-db:amd64 <none> 2.11.2-2', 'man-db 2.11.2-2'],
    ['var/log/dpkg.log', '2026-11-20 22:18:20 status installed man-db:amd64 2.11.2-2', null],
    ['var/log/dpkg.log', '2026-11-20 22:18:24 status half-configured libc-bin:amd64 2.36-9+deb12u14', null],
    ['var/log/dpkg.log', '2026-11-20 22:18:24 trigproc libc-bin:amd64 2.36-9+deb12u14 <none>', null],
    ['var/log/pacman.log', '[2026-01-01T00:00:00+0000] [ALPM] upgraded bash (5.2.1-1 -> 5.2.2-1)', 'bash 5.2.2-1'],
    [
      'var/log/dnf.rpm.log',
      '2026-01-01T00:00:00+0000 SUBDEBUG Upgrade: bash-5.2.26-1.fc40.x86_64',
      'bash-5.2.26-1.fc40.x86_64',
    ],
  ])('%s: %s', (path, line, expected) => {
    expect(parse(path, line)).toBe(expected);
  });

  it('names five and counts the rest, each once', () => {
    expect(describePackages(['a 1'])).toBe('Package installed or updated: a 1');
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'a'];
    expect(describePackages(names)).toBe('6 packages installed or updated: a, b, c, d, e and 1 more');
  });
});

describe('activitySource', () => {
  function rig() {
    const texts: Record<string, string> = {
      'etc/hosts': 'a',
      'var/log/dpkg.log': 'old\n',
      'proc/vmstat': 'oom_kill 3\n',
    };
    const state = { processes: [] as ProcessSeen[], units: null as UnitSeen[] | null };
    const source = activitySource({
      files: fakeFiles(texts),
      processes: () => state.processes,
      units: () => state.units,
      watchedProcesses: ['worker'],
      watchedFiles: ['etc/hosts', 'etc/fstab'],
      countsKills: true,
      version: '1.0.0',
    });
    let up = 0;
    const next = async (jump = 0): Promise<string[]> => {
      up += 60;
      const { part } = await source.read({ ts: 1_795_000_000 + up + jump, up });
      return (part.events ?? []).map(({ event_type, message }) => `${event_type}|${message}`);
    };
    return { texts, state, next };
  }

  it('says that the collector started, once, in the first report that is sent', async () => {
    const { next } = rig();
    expect([await next(), await next(), await next()]).toEqual([[], ['system_monitoring|Collector 1.0.0 started'], []]);
  });

  it('finds changes of every kind', async () => {
    const { texts, state, next } = rig();
    await next();
    await next();
    texts['etc/hosts'] = 'longer';
    texts['etc/fstab'] = 'new';
    texts['var/log/dpkg.log'] += '2026-11-20 22:18:20 upgrade man-db:amd64 2.11.2-1 2.11.2-2\n';
    texts['proc/vmstat'] = 'oom_kill 5\n';
    state.processes = [process({})];
    expect(await next()).toEqual([
      'process_crash|The kernel killed 2 processes: out of memory',
      'process_start|worker (pid 7) started',
      'config_change|/etc/hosts changed',
      'config_change|/etc/fstab appeared',
      'update_installed|Package installed or updated: man-db 2.11.2-2',
    ]);
    expect(await next()).toEqual([]);
    delete texts['etc/fstab'];
    expect(await next(90)).toEqual([
      'config_change|/etc/fstab was removed',
      'system_monitoring|The clock was set forward by 90 s',
    ]);
  });

  it.each([
    ['counts the kills of the kernel', true, 'oom_kill 5\n', 2],
    ['sends no count without a kill', true, 'oom_kill 3\n', undefined],
    ['sends no count where a counter starts anew', true, 'oom_kill 1\n', undefined],
    ['sends no count where the kernel has none', true, 'nr_free_pages 5\n', undefined],
    ['sends no kills of the host as those of a container', false, 'oom_kill 5\n', undefined],
  ])('%s', async (_, countsKills, later, kills) => {
    const texts = { 'proc/vmstat': 'oom_kill 3\n' };
    const none = { processes: () => [], units: () => null, watchedProcesses: [], watchedFiles: [], version: '1.0.0' };
    const source = activitySource({ ...none, files: fakeFiles(texts), countsKills });
    await source.read({ ts: 1_795_000_000, up: 60 });
    texts['proc/vmstat'] = later;
    const { part } = await source.read({ ts: 1_795_000_060, up: 120 });
    expect(part.oom_kills).toBe(kills);
  });

  describe('a suspension', () => {
    const stat = (...seconds: number[]): string =>
      `cpu 1 2 3\n${seconds.map((of, number) => `cpu${number} 0 0 0 ${of * 100} 0 0 0 0 999999 0`).join('\n')}\nintr 5\n`;

    it.each<[string, number[], number[], string[]]>([
      ['the processors counted a second', [10, 10], [11, 10], ['system_resume|The host was suspended for 60 min']],
      ['the counters stand still', [10, 10], [10, 10], []],
      ['they counted a minute of the hour', [10, 10], [70, 70], ['system_resume|The host was suspended for 59 min']],
      ['they counted all but 60 s', [10], [3550], ['system_resume|The host was suspended for 1 min']],
      ['they counted all but 59 s', [10], [3551], []],
      ['they counted all of it', [10, 10], [3610, 3610], []],
      ['one of them was off, and the other counted', [10, 10], [3610, 10], []],
      ['the first was off, and the other counted', [10, 10], [10, 3610], []],
      ['a processor was added and counts from its start', [3600], [7200, 5], []],
      ['the counters began anew', [10], [5], []],
      ['there are none', [], [], []],
    ])('is found by the clocks where %s', async (_, was, is, events) => {
      const texts: Record<string, string> = { 'proc/stat': stat(...was) };
      const source = activitySource({
        countsKills: true,
        files: fakeFiles(texts),
        processes: () => [],
        units: () => null,
        watchedProcesses: [],
        watchedFiles: [],
        version: '1.0.0',
      });
      // The collector's own start is announced in the second report.
      await source.read({ ts: 0, up: 0 });
      await source.read({ ts: 0, up: 0 });
      texts['proc/stat'] = stat(...is);
      const { part } = await source.read({ ts: 3600, up: 3600 });
      expect((part.events ?? []).map(({ event_type, message }) => `${event_type}|${message}`)).toEqual(events);
    });
  });

  it('knows a rotated log', async () => {
    const { texts, next } = rig();
    texts['var/log/dpkg.log'] = 'x'.repeat(1000);
    await next();
    await next();
    texts['var/log/dpkg.log'] = '2026-11-20 22:18:20 install vim:amd64 <none> 9.0\n';
    expect(await next()).toEqual(['update_installed|Package installed or updated: vim 9.0']);
  });

  it('takes the first units it sees for the state, not for news', async () => {
    const { state, next } = rig();
    await next();
    await next();
    state.units = [unit({})];
    expect(await next()).toEqual([]);
    state.units = [unit({ state: 'failed', result: 'signal' })];
    expect(await next()).toHaveLength(2);
  });
});

it('bounds and deduplicates the events of a report, whatever happened', () => {
  const change = fc.record({
    event_type: fc.constantFrom('service_start' as const, 'config_change' as const),
    service_name: fc.constant(null),
    process_name: fc.constant(null),
    message: fc.string({ unit: 'binary', maxLength: 700 }),
    severity: fc.constant('info' as const),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
      const events = toEvents(changes, 1_795_000_000.5);
      expect(events.length).toBeLessThanOrEqual(51);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      expect(events.every(({ message }) => Buffer.byteLength(message) <= 512 && message.isWellFormed())).toBe(true);
    }),
  );
});
