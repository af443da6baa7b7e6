import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Exec, systemExec } from '../runtime/exec.ts';
import { parsePlatformUuid } from '../runtime/machine-identity.darwin.ts';
import type { Runtime } from '../runtime/native.ts';
import { collect, darwinSources } from '../report.ts';
import { fakeFiles } from '../testing/captured.ts';
import { parseSockets } from './connections/connections.darwin.ts';
import { countersOf } from './cpu.darwin.ts';
import { parseIoreg } from './disk-io.darwin.ts';
import { filesystemSourceDarwin, parseMountOutput } from './filesystem.darwin.ts';
import { parseSwapUsage, parseVmStat } from './memory.darwin.ts';
import { parseNetstat } from './network.darwin.ts';
import { parseCpuTime, parsePs, processSourceDarwin } from './processes.darwin.ts';
import { parseLaunchctl } from './units.darwin.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/darwin');
const SYSTEMS = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const text = (file: string, system = 'format'): string => readFileSync(join(FIXTURES, system, file), 'utf8');

/** A PATH of programs that print the fixtures, so that the real spawning runs on Linux. */
function shims(system: string): { path: string; calls: () => string[] } {
  const directory = mkdtempSync(join(tmpdir(), 'shims-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const log = join(directory, 'calls');
  writeFileSync(log, '');
  const fixture = (name: string): string => join(FIXTURES, system, `${name}.txt`);
  const programs: Record<string, string> = {
    netstat: `case $1 in -ibn) cat '${fixture('netstat-ibn')}' ;; *) cat '${fixture('netstat-anv')}' ;; esac`,
    // The data volume exists on a Mac only.
    mount: `head -n 1 '${fixture('mount')}'`,
    sysctl: `case $2 in vm.swapusage) cat '${fixture('sysctl')}' ;; hw.optional.arm64) echo 1 ;; *) exit 1 ;; esac`,
  };
  for (const name of ['vm_stat', 'ioreg', 'ps', 'launchctl', 'sw_vers']) programs[name] = `cat '${fixture(name)}'`;
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(directory, name), `#!/bin/sh\necho ${name} >>'${log}'\n${body}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  const calls = (): string[] => readFileSync(log, 'utf8').trim().split('\n');
  return { path: `${directory}:/usr/bin:/bin`, calls };
}

const core = { user: 1000, nice: 0, sys: 500, idle: 8500, irq: 0 };
function runtime(): Runtime & { tick: () => void } {
  let times = core;
  return {
    cpus: () => [
      { model: 'Apple M1', times },
      { model: 'Apple M1', times },
    ],
    loadavg: () => [1, 2, 3],
    totalMemoryBytes: () => 17_179_869_184,
    hostname: () => 'mac.local',
    release: () => '24.3.0',
    architecture: 'x64',
    tick: () => {
      times = { ...times, user: times.user + 3000, idle: times.idle + 7000 };
    },
  };
}
const SETTINGS = {
  region: null,
  collectorVersion: '1.0.0',
  architecture: 'x64',
  stripArguments: false,
  watchedProcesses: [],
  watchedFiles: ['/etc/hosts'],
};

describe.each(SYSTEMS.map(({ name }) => name))('a Mac that answers like %s', (system) => {
  it('is collected by the real spawn path, with at most six children once it runs', async () => {
    const { path, calls } = shims(system);
    const host = runtime();
    const files = fakeFiles({ 'etc/passwd': 'root:*:0:0::/var/root:/bin/sh\n', 'etc/hosts': '' });
    const sources = darwinSources(files, systemExec(path), host, SETTINGS);
    await collect(sources, { ts: 1_795_000_000, up: 1000 }, null, () => 0);
    for (let round = 1; round <= 2; round += 1) {
      const before = calls().length;
      host.tick();
      const now = { ts: 1_795_000_000 + round * 60, up: 1000 + round * 60 };
      const { report, sources: health } = await collect(sources, now, 60, () => 0);
      expect(calls().length - before).toBeLessThanOrEqual(6);
      const failed = Object.entries(health).filter(([name, { ok }]) => !ok && name !== 'filesystem');
      expect(failed).toEqual([]);
      expect(report.cpu).toMatchObject({
        percent: 30,
        io_wait_percent: null,
        steal_percent: null,
        per_core_percent: [30, 30],
      });
      expect(report.system).toMatchObject({
        platform: 'darwin',
        os_type: 'macos',
        architecture: 'arm64',
        cpu_model: 'Apple M1',
      });
      expect(report.processes?.every(({ threads }) => threads === null)).toBe(true);
      expect(report.interfaces?.[0]).toMatchObject({ name: 'en0', receive_bytes_per_second: 0 });
    }
  });
});

/** Part of what each source reports on the fixtures. */
const PARTS: Record<string, object> = {
  system: { system: { platform: 'darwin', hostname: 'mac.local' } },
  cpu: { cpu: { percent: 30 } },
  memory: { memory: { total_bytes: 17_179_869_184 } },
  load: { load: { one: 1, five: 2, fifteen: 3 } },
  filesystem: { filesystems: expect.anything() as unknown },
  'disk-io': { disks: [{ device: 'disk0' }] },
  network: { interfaces: [{ name: 'en0' }, { name: 'en5' }] },
  processes: { processes: expect.arrayContaining([expect.objectContaining({ name: 'sshd' })]) as unknown },
  connections: { connections: expect.arrayContaining([expect.objectContaining({ local_port: 22 })]) as unknown },
  units: { units: expect.arrayContaining([expect.objectContaining({ name: 'com.example.web' })]) as unknown },
  activity: { events: expect.anything() as unknown },
};

it('has a source of macOS for every part above', () => {
  const sources = darwinSources(fakeFiles({}), systemExec(''), runtime(), SETTINGS);
  expect(sources.map(({ name }) => name)).toEqual(Object.keys(PARTS));
});

it.each(Object.entries(PARTS))('the macOS source %s, read twice on its own, fills its part', async (name, part) => {
  const host = runtime();
  const files = fakeFiles({ 'etc/passwd': 'root:*:0:0::/var/root:/bin/sh\n', 'etc/hosts': '' });
  const all = darwinSources(files, systemExec(shims('format').path), host, SETTINGS);
  const sources = all.filter((source) => source.name === name);
  const first = await collect(sources, { ts: 1_795_000_000, up: 1000 }, null, () => 0);
  host.tick();
  const second = await collect(sources, { ts: 1_795_000_060, up: 1060 }, 60, () => 0);
  expect([first.sources, second.sources]).toEqual([{ [name]: ok }, { [name]: ok }]);
  expect(second.report).toMatchObject(part);
});
const ok = { ok: true, duration_ms: 0, error: null };

describe('memory', () => {
  it('counts wired, compressed and anonymous pages that cannot be purged', () => {
    expect(parseVmStat(text('vm_stat.txt'))).toBe(16_384 * (100_000 + 100_000 + 400_000));
  });

  it('names what is missing', () => {
    expect(() => parseVmStat('')).toThrow('no page size');
    expect(() => parseVmStat('(page size of 4096 bytes)')).toThrow('vm_stat has no line "Anonymous pages"');
    expect(() => parseSwapUsage('nothing')).toThrow('vm.swapusage names no "total"');
  });

  it('reads swap in any unit', () => {
    expect(parseSwapUsage(text('sysctl.txt'))).toEqual({ totalBytes: 2_147_483_648, usedBytes: 1_074_266_112 });
    expect(parseSwapUsage('total = 1,50G  used = 512K').usedBytes).toBe(524_288);
  });
});

it('takes CPU time of every core, and fails without one', () => {
  expect(countersOf([{ model: '', times: core }]).all).toMatchObject({ user: 1000, system: 500, idle: 8500 });
  expect(() => countersOf([])).toThrow('no core');
});

it('reads the counters of whole disks', () => {
  expect([...parseIoreg(text('ioreg.txt'))]).toEqual([
    [
      'disk0',
      { reads: 12_975_224, writes: 13_964_680, readBytes: 368_261_685_248, writeBytes: 222_826_323_968, busyMs: 0 },
    ],
  ]);
  expect(parseIoreg('"Statistics" = {"Operations (Read)"=1}\n"BSD Name" = "disk1"').size).toBe(0);
});

it('reads interfaces from their own row, with and without an address, and knows what is down', () => {
  const { interfaces, down } = parseNetstat(text('netstat-ibn.txt'));
  expect([...interfaces.keys()]).toEqual(['en0', 'en5']);
  expect(interfaces.get('en0')).toMatchObject({
    receiveBytes: 35_450_763,
    receiveErrors: 3,
    transmitBytes: 143_748_137,
    transmitErrors: 1,
  });
  expect([...down]).toEqual(['en5']);
  const older =
    'Name  Mtu  Network  Address  Ipkts Ierrs Ibytes Opkts Oerrs Obytes Coll Drop\nen1 1500 <Link#4> 286 1 27175 9 2 77 0 0\n';
  expect(parseNetstat(older).interfaces.get('en1')).toMatchObject({
    receiveBytes: 27_175,
    transmitBytes: 77,
    transmitErrors: 2,
  });
});

describe('processes', () => {
  it('lists them by their short names when a process makes the long list too large', async () => {
    const asked: string[] = [];
    const exec: Exec = async (_file, argv) => {
      asked.push(argv.at(-1) ?? '');
      if (asked.length === 1) throw new Error('ps: no answer within 5000 ms, or one above 8388608 bytes');
      return text('ps.txt');
    };
    const runtime = { totalMemoryBytes: () => 2 ** 34 } as Runtime;
    const { part } = await processSourceDarwin(exec, fakeFiles({}), runtime).read({ ts: 0, up: 9 });
    expect(asked.map((columns) => columns.split(',').at(-1))).toEqual(['comm', 'ucomm']);
    expect(part.processes?.length).toBeGreaterThan(0);
  });

  it('reads names with blanks, states and cumulative time', () => {
    const processes = parsePs(text('ps.txt'));
    expect(processes.map(({ pid, name, state }) => [pid, name, state])).toEqual([
      [1, 'launchd', 'S'],
      [421, 'sshd', 'S'],
      [4246, 'Some App', 'R'],
      [5000, 'waits', 'D'],
    ]);
    expect(processes[2]).toMatchObject({ residentPages: 524_288, uid: 501, cpuTicks: 102 * 6000 + 304 });
    expect(parsePs('  1 0 S 5 cut')).toEqual([]);
  });

  it.each([
    ['0:00.10', 10],
    ['12:34.56', 75_456],
    ['1:02:03.04', 372_304],
    ['2-00:00:01.00', 17_280_100],
  ])('time %s is %i hundredths', (time, hundredths) => {
    expect(parseCpuTime(time)).toBe(hundredths);
  });
});

it('finds the pid of a connection by the heading, whatever columns the version has', () => {
  const sockets = parseSockets(text('netstat-anv.txt'));
  expect(sockets.map(({ state, remote, localPort, pid, queued }) => [state, remote, localPort, pid, queued])).toEqual([
    ['LISTEN', '*', 22, 421, false],
    ['ESTABLISHED', '203.0.113.77', 22, 977, true],
    ['ESTABLISHED', '198.51.100.34', 61_234, 4246, false],
    ['TIME_WAIT', '2001:db8:1:2::9', 61_235, -1, false],
    ['FIN_WAIT1', '127.0.0.1', 49_152, 4246, false],
  ]);
  const newer =
    'Proto Recv-Q Send-Q Local Address Foreign Address (state) rhiwat shiwat process:pid state\ntcp4 0 0 10.0.0.1.5 10.0.0.2.6 ESTABLISHED 1 2 sshd:977 00102\n';
  expect(parseSockets(newer)[0]?.pid).toBe(977);
  expect(parseSockets('tcp4 0 0 10.0.0.1.5 10.0.0.2.6 ESTABLISHED 1 2 3\n')[0]?.pid).toBe(-1);
});

it('reads the jobs of launchd that are not Apple’s', () => {
  expect(parseLaunchctl(text('launchctl.txt')).map(({ name, state, result }) => [name, state, result])).toEqual([
    ['com.example.web', 'active', 'success'],
    ['com.example.nightly', 'inactive', 'success'],
    ['com.example.broken', 'failed', 'exit-code'],
    ['com.example.killed', 'failed', 'signal'],
  ]);
});

describe('filesystems', () => {
  const space = (sizeBytes: number, freeBytes: number) => ({
    sizeBytes,
    freeBytes,
    availableBytes: freeBytes,
    inodes: 0,
    inodesFree: 0,
  });
  const GiB = 2 ** 30;
  const mounts: Exec = async () => text('mount.txt');
  const now = { ts: 0, up: 0 };

  it('are one entry for a container of APFS; shares, images and volumes of macOS itself are left out', async () => {
    const asked: string[] = [];
    const source = filesystemSourceDarwin(
      fakeFiles({}),
      async (path) => {
        asked.push(path);
        return path === '/System/Volumes/Data' ? space(494 * GiB, 100 * GiB) : space(64 * GiB, 32 * GiB);
      },
      mounts,
    );
    const { part, note } = await source.read(now);
    expect(part.filesystems).toMatchObject([
      {
        mount: '/System/Volumes/Data',
        device: '/dev/disk3s5',
        type: 'apfs',
        used_bytes: 394 * GiB,
        inodes_total: null,
      },
      { mount: '/Volumes/Camera (RAW) on disk', type: 'hfs', used_bytes: 32 * GiB },
    ]);
    expect(asked).toHaveLength(2);
    expect(note).toBeUndefined();
  });

  it('are read anew after a change below /Volumes and once an hour; one that does not answer is named', async () => {
    const calls: string[] = [];
    const volumes: Record<string, string> = { 'Volumes/a/x': '' };
    const source = filesystemSourceDarwin(
      fakeFiles(volumes),
      async (path) => {
        if (path !== '/System/Volumes/Data') throw new Error('mount does not answer');
        return space(2, 1);
      },
      async (file) => {
        calls.push(file);
        return text('mount.txt');
      },
    );
    const taken = await source.read(now);
    expect(taken.part.filesystems).toMatchObject([{ mount: '/System/Volumes/Data' }]);
    expect(taken.note).toBe('/Volumes/Camera (RAW) on disk: mount does not answer');
    await source.read(now);
    expect(calls).toEqual(['mount']);
    volumes['Volumes/b/x'] = '';
    await source.read(now);
    expect(calls).toEqual(['mount', 'mount']);
    for (let reading = 3; reading < 60; reading += 1) await source.read(now);
    expect(calls).toHaveLength(2);
    await source.read(now);
    expect(calls).toHaveLength(3);
  });

  it('are the start volume where mount fails, which is tried again', async () => {
    const failing: Exec = async () => Promise.reject(new Error('mount: is not installed'));
    const data = fakeFiles({ 'System/Volumes/Data': '', 'Volumes/share/x': '' });
    let calls = 0;
    const source = filesystemSourceDarwin(
      data,
      async () => space(5, 2),
      async (file, argv) => {
        calls += 1;
        return failing(file, argv);
      },
    );
    const taken = await source.read(now);
    await source.read(now);
    expect(calls).toBe(2);
    expect(taken.part.filesystems).toMatchObject([{ mount: '/System/Volumes/Data', used_bytes: 3 }]);
    expect(taken.note).toBe('mount: is not installed: only the start volume is listed');
    const none = filesystemSourceDarwin(fakeFiles({}), () => Promise.reject(new Error('EIO')), failing);
    await expect(none.read(now)).rejects.toThrow('/: EIO');
  });

  it('are none of a line that is not of mount', () => {
    expect(parseMountOutput('/dev/vda on / type ext4 (rw,relatime)\n\non (\n')).toEqual([]);
  });
});

it('knows the hardware by its id', () => {
  expect(parsePlatformUuid('"IOPlatformUUID" = "0A1B2C3D-0000-1111-2222-333344445555"')).toBe(
    '0A1B2C3D-0000-1111-2222-333344445555',
  );
  expect(parsePlatformUuid('')).toBeNull();
});

it('names the program that is missing or fails', async () => {
  const { path } = shims('format');
  await expect(systemExec(path)('no-such-program', [])).rejects.toThrow('no-such-program: is not installed');
  await expect(systemExec(path)('sysctl', ['-n', 'unknown'])).rejects.toThrow('sysctl: failed (1)');
});
