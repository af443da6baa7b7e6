import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseUptime, systemClock } from './clock.ts';
import { diskAt } from './disk.ts';
import { filesUnder } from './files.ts';
import { gunzip, gzip, readCapped } from './gzip.ts';
import { bootId, machineHash, randomHex128 } from './machine-identity.ts';
import { makeLog } from './log.ts';
import { increase, ratePerSecond } from '../host/rate.ts';
import { spaceReader } from '../host/filesystem-space.ts';
import { userNames } from '../host/tables/users.ts';
import { fakeFiles } from '../testing/captured.ts';

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'lib-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('filesUnder', () => {
  it('reads files of any length whole, also ones that say they are empty', () => {
    const root = directory();
    for (const length of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
      const text = 'é'.repeat(length);
      writeFileSync(join(root, 'f'), text);
      expect(filesUnder(root).text('f')).toBe(text);
    }
    expect(filesUnder('/').text('proc/self/status')).toContain('Name:');
  });

  it('gives null, an empty list or an error that names the file for what is not there', () => {
    const files = filesUnder(directory());
    expect([files.optional('x'), files.list('x'), files.link('x'), files.stat('x'), files.tail('x', 5)]).toEqual([
      null,
      [],
      null,
      null,
      null,
    ]);
    expect(() => files.text('x')).toThrow('ENOENT');
  });

  it('hands out every line of a file of any length, and asks no further after a short read', () => {
    const root = directory();
    for (const count of [0, 1, 30, 40, 600, 700, 5000]) {
      const lines = Array.from({ length: count }, (_, index) => `${index} `.padEnd(99, 'x'));
      writeFileSync(join(root, 'f'), lines.join('\n'));
      const [seen, reads]: [string[], number[]] = [[], []];
      const counting = ((...args: Parameters<typeof readSync>) => {
        reads.push(readSync(...args));
        return reads.at(-1);
      }) as typeof readSync;
      filesUnder(root, counting).lines('f', (bytes, from, to) => seen.push(bytes.toString('latin1', from, to)));
      expect(seen).toEqual(lines);
      // The kernel walks a whole table of sockets to say that there is no more.
      expect(reads.slice(0, -1).every((got) => got >= 3584)).toBe(true);
    }
  });

  it('reads the end of a file', () => {
    const root = directory();
    writeFileSync(join(root, 'log'), 'one\ntwo\nthree\n');
    expect([filesUnder(root).tail('log', 6), filesUnder(root).tail('log', 100)]).toEqual([
      'three\n',
      'one\ntwo\nthree\n',
    ]);
  });
});

describe('diskAt', () => {
  it('makes a directory and files that others cannot read', () => {
    const path = join(directory(), 'state');
    const disk = diskAt(path);
    disk.replace('agent.json', '{}');
    disk.append('log', Buffer.from('ab'), true);
    disk.append('log', Buffer.from('cd'), false);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'agent.json')).mode & 0o777).toBe(0o600);
    expect([disk.readAt('log', 1, 2).toString(), disk.read('log').toString()]).toEqual(['bc', 'abcd']);
    disk.truncate('log', 3);
    expect([disk.readAt('log', 0, 10).toString(), disk.list()]).toEqual(['abc', ['agent.json', 'log']]);
    disk.remove('log');
    disk.remove('log');
    expect(disk.list()).toEqual(['agent.json']);
  });

  it('replaces a whole file or nothing', () => {
    const path = directory();
    const disk = diskAt(path);
    disk.replace('a', 'old');
    // A directory in the way of the temporary file makes the write fail.
    mkdirSync(join(path, 'a.new'));
    expect(() => disk.replace('a', 'new')).toThrow('EISDIR');
    expect(readFileSync(join(path, 'a'), 'utf8')).toBe('old');
  });

  it('knows how much is free', () => {
    const { bytes, share } = diskAt(directory()).free();
    expect(bytes).toBeGreaterThan(0);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThanOrEqual(1);
  });
});

describe('spaceReader', () => {
  it('tells the space of a real filesystem', async () => {
    const space = await spaceReader()('/');
    expect(space.sizeBytes).toBeGreaterThan(space.availableBytes);
  });

  it('rejects what is not there, and answers again for the same path', async () => {
    const read = spaceReader();
    await expect(read('/no/such/path')).rejects.toThrow('ENOENT');
    await expect(read('/no/such/path')).rejects.toThrow('ENOENT');
  });

  it('does not ask a path again while an old question hangs', async () => {
    const read = spaceReader();
    const first = read('/');
    await expect(read('/')).rejects.toThrow('does not answer');
    await first;
    await expect(read('/')).resolves.toMatchObject({ sizeBytes: expect.any(Number) });
  });
});

describe('gzip', () => {
  it('gives back any text, and refuses more than the limit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 2000 }), async (text) => {
        expect(await gunzip(await gzip(text), 100_000)).toBe(text);
      }),
      { numRuns: 30 },
    );
    await expect(gunzip(await gzip('x'.repeat(1000)), 999)).rejects.toThrow('more than 999 bytes');
    await expect(gunzip(new Uint8Array([1, 2, 3]), 10)).rejects.toBeInstanceOf(Error);
  });

  it('reads a stream only as far as it may', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    await expect(readCapped(endless, 5000)).rejects.toThrow('more than 5000 bytes');
    expect(pulled).toBeLessThan(20);
  });
});

describe('rates', () => {
  it('are null without an earlier value, without a window, and when the counter went back', () => {
    expect([increase(undefined, 5), increase(5, 4), increase(4, 5), increase(1, Number.NaN)]).toEqual([
      null,
      null,
      1,
      null,
    ]);
    expect([ratePerSecond(0, 60, 60), ratePerSecond(0, 60, null), ratePerSecond(0, 60, 0)]).toEqual([1, null, null]);
  });

  it('are never negative', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), (before, after, window) => {
        const rate = ratePerSecond(before, after, window);
        expect(rate === null || rate >= 0).toBe(true);
      }),
    );
  });
});

describe('identity', () => {
  it('hashes the machine-id so that it cannot be read back, and is the same each time', async () => {
    const files = fakeFiles({ 'etc/machine-id': '3d1219c7c4c5404aaa1f6d2a48adfda4\n' });
    const hash = await machineHash(files);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).not.toContain('3d1219c7');
    expect(await machineHash(files)).toBe(hash);
  });

  it('looks at the second place, and takes no text that is no id', async () => {
    const second = fakeFiles({ 'etc/machine-id': 'uninitialized\n', 'var/lib/dbus/machine-id': 'a'.repeat(32) });
    expect(await machineHash(second)).toMatch(/^[0-9a-f]{64}$/);
    expect(await machineHash(fakeFiles({}))).toBeNull();
  });

  it('knows the boot, or says that it does not', () => {
    expect(bootId(fakeFiles({ 'proc/sys/kernel/random/boot_id': 'b41a76db\n' }))).toBe('b41a76db');
    expect(bootId(fakeFiles({}))).toBe('unknown');
  });

  it('makes streams that do not repeat', () => {
    const streams = Array.from({ length: 100 }, randomHex128);
    expect(new Set(streams).size).toBe(100);
    expect(streams.every((stream) => /^[0-9a-f]{32}$/.test(stream))).toBe(true);
  });
});

describe('clock', () => {
  it('counts from the boot', () => {
    expect(systemClock(fakeFiles({ 'proc/uptime': '927.59 1669.16\n' })).up()).toBe(927.59);
    expect([parseUptime(null), parseUptime('x')]).toEqual([null, null]);
    expect(systemClock(fakeFiles({})).up()).toBeGreaterThan(0);
  });

  it('wakes within 15 s after a suspension, which stops the timers', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const texts = { 'proc/uptime': '100.00 1.00\n' };
    const clock = systemClock(fakeFiles(texts));
    let isAwake = false;
    const asleep = (async () => {
      await clock.sleep(60, new AbortController().signal);
      isAwake = true;
    })();
    await vi.advanceTimersByTimeAsync(14_999);
    texts['proc/uptime'] = '7300.00 1.00\n';
    expect(isAwake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isAwake).toBe(true);
    await asleep;
  });

  it.each([0.2, 15, 15.5, 60])('sleeps %d s, neither less nor more', async (seconds) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const texts = { 'proc/uptime': '0.00 0.00\n' };
    let isAwake = false;
    const asleep = (async () => {
      await systemClock(fakeFiles(texts)).sleep(seconds, new AbortController().signal);
      isAwake = true;
    })();
    for (let passed = 0; passed < seconds * 10 - 1; passed += 1) {
      texts['proc/uptime'] = `${((passed + 1) / 10).toFixed(2)} 0.00\n`;
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(isAwake).toBe(false);
    texts['proc/uptime'] = `${seconds.toFixed(2)} 0.00\n`;
    await vi.advanceTimersByTimeAsync(100);
    expect(isAwake).toBe(true);
    await asleep;
  });

  it('wakes when the signal aborts, and at once when it has', async () => {
    const clock = systemClock(fakeFiles({}));
    const stop = new AbortController();
    const asleep = clock.sleep(3600, stop.signal);
    stop.abort();
    await asleep;
    await clock.sleep(3600, stop.signal);
    await clock.sleep(0, new AbortController().signal);
    expect(stop.signal.aborted).toBe(true);
  });
});

describe('makeLog', () => {
  const lines: string[] = [];
  const settings = { level: 'info', write: (line: string) => void lines.push(line), now: () => 1_795_000_000 } as const;

  it('writes one JSON object a line, which no field can break out of', () => {
    makeLog({ ...settings, format: 'json' })('warn', 'hello', { reason: 'a\nb', level: 'x' });
    expect(lines.at(-1)).not.toContain('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      reason: 'a\nb',
      level: 'warn',
      msg: 'hello',
      time: '2026-11-18T11:06:40.000Z',
    });
  });

  it('writes text for a person, and nothing below its level', () => {
    const before = lines.length;
    const log = makeLog({ ...settings, format: 'text' });
    log('debug', 'not this');
    log('info', 'this', { pending: 3, code: 'a\u001b[31m' });
    expect(lines.slice(before)).toEqual(['11:06:40 INFO  this pending=3 code="a\\u001b[31m"']);
  });
});

it('reads /etc/passwd again for a new user, but not for every unknown id', () => {
  let reads = 0;
  let up = 0;
  const texts = { 'etc/passwd': 'root:x:0:0::/:\n' };
  const files = fakeFiles(texts);
  const optional = (path: string): string | null => {
    reads += 1;
    return files.optional(path);
  };
  const nameOf = userNames({ ...files, optional }, () => up);
  expect([nameOf(0), nameOf(1000), nameOf(1001), reads]).toEqual(['root', '1000', '1001', 1]);
  texts['etc/passwd'] += 'bob:x:1000:1000::/:\n';
  up = 60;
  expect([nameOf(1000), nameOf(0), reads]).toEqual(['bob', 'root', 2]);
});

it('refuses a state directory it may not write, with the reason', () => {
  const path = directory();
  writeFileSync(join(path, 'file'), '');
  chmodSync(path, 0o755);
  expect(() => diskAt(join(path, 'file', 'state'))).toThrow('ENOTDIR');
});
