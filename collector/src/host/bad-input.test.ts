import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Files } from '../runtime/files.ts';
import { collect, linuxSources } from '../report.ts';
import { captured, linesOf } from '../testing/captured.ts';

const HOST = captured('debian-12-firecracker');
const SETTINGS = {
  region: null,
  collectorVersion: '1.2.3',
  architecture: 'x64',
  stripArguments: false,
  watchedProcesses: [],
  watchedFiles: ['etc/passwd'],
};
const exec = (): Promise<string> => Promise.reject(new Error('systemctl: is not installed'));

/** The captured host, its files changed on the way to the reader. */
function through(change: (path: string, bytes: Buffer) => Buffer): Files {
  const text = (path: string): string => change(path, Buffer.from(HOST.text(path))).toString();
  return {
    ...HOST,
    text,
    optional: (path) => (HOST.optional(path) === null ? null : text(path)),
    bytes: (path) => change(path, Buffer.from(HOST.bytes(path))),
    lines: (path, each) => {
      linesOf(text(path), each);
    },
  };
}

/** Two readings, for what has rates. */
async function twice(files: Files): ReturnType<typeof collect> {
  const sources = linuxSources(files, exec, SETTINGS);
  let tick = 0;
  const milliseconds = (): number => (tick += 1);
  await collect(sources, { ts: 1000, up: 4000 }, null, milliseconds);
  return collect(sources, { ts: 1060, up: 4060 }, 60, milliseconds);
}

/** Every number there is, wherever it stands. */
const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersIn)
      : [];

const READ = [
  'stat meminfo loadavg mounts diskstats cpuinfo net/dev net/tcp net/tcp6 net/sockstat pressure/cpu pressure/io',
  '2/stat 2137/stat 2893/cmdline self/auxv sys/kernel/hostname',
]
  .flatMap((names) => names.split(' '))
  .map((name) => `proc/${name}`);

describe('a host whose files are not as they should be', () => {
  it('is as it should be to begin with', async () => {
    const { sources } = await twice(through((_path, bytes) => bytes));
    expect(Object.entries(sources).filter(([, { ok }]) => !ok)).toEqual([]);
  });

  it('sends every other part when one file is cut anywhere', async () => {
    const whole = Object.keys((await twice(HOST)).sources);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...READ), fc.double({ min: 0, max: 1, noNaN: true }), async (cut, share) => {
        const { report, sources } = await twice(
          through((path, bytes) => (path === cut ? bytes.subarray(0, Math.floor(bytes.length * share)) : bytes)),
        );
        expect(Object.keys(sources)).toEqual(whole);
        // cpu and system both read /proc/stat; no file is read by more.
        expect(Object.values(sources).filter(({ ok }) => !ok).length).toBeLessThanOrEqual(2);
        expect(numbersIn(report).filter((one) => !Number.isFinite(one))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('sends finite numbers whatever bytes stand in a file', async () => {
    const wild = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.stringMatching(/^[a-z0-9 :.()\n-]{0,200}$/).map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...READ), wild, async (replaced, content) => {
        const { report } = await twice(through((path, bytes) => (path === replaced ? content : bytes)));
        expect(numbersIn(report).filter((one) => !Number.isFinite(one))).toEqual([]);
        expect(JSON.parse(JSON.stringify(report))).toMatchObject({ kind: 'host', ts: 1060 });
      }),
      { numRuns: 150 },
    );
  });

  it('names what it may not read, and sends the rest', async () => {
    const denied = 'proc/net/dev';
    const refuse = (path: string, bytes: Buffer): Buffer => {
      if (path === denied) throw Object.assign(new Error(`EACCES: permission denied, open '/${path}'`));
      return bytes;
    };
    const { report, sources } = await twice(through(refuse));
    expect(sources['network']).toMatchObject({ ok: false, error: expect.stringContaining('EACCES') });
    expect(Object.values(sources).filter(({ ok }) => !ok)).toHaveLength(1);
    expect([report.interfaces, typeof report.load?.one]).toEqual([undefined, 'number']);
  });

  it('leaves out a process that ends while it is read, at any of the reads', async () => {
    for (const gone of ['proc/2137/stat', 'proc/2137/cmdline']) {
      const vanish = (path: string, bytes: Buffer): Buffer => {
        if (path === gone) throw new Error(`ENOENT: no such file or directory, open '/${path}'`);
        return bytes;
      };
      const files = through(vanish);
      const optional = (path: string): string | null => (path === gone ? null : files.optional(path));
      const { report, sources } = await twice({ ...files, optional });
      expect(sources['processes']?.ok).toBe(true);
      const pids = report.processes?.map(({ pid }) => pid) ?? [];
      expect([pids.includes(2893), pids.includes(2137)]).toEqual([true, gone.endsWith('cmdline')]);
    }
  });
});
