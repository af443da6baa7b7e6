import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Files, filesUnder } from '../runtime/files.ts';
import { type ProcessSeen, topProcesses } from './tables/process-list.ts';
import { parsePasswd } from './tables/users.ts';
import { captured, capturedText, fakeFiles } from '../testing/captured.ts';
import { fullName, processSource } from './processes.ts';

const HOST = 'debian-12-firecracker';
const KEEP = { stripArguments: false };

/** One line of /proc/PID/stat with the fields that matter. */
function statLine(pid: number, ticks: number, startTicks: number, pages: number, name = 'burn'): string {
  const fields: (string | number)[] = ['R', ...Array.from({ length: 49 }, () => 0)];
  for (const [index, value] of [
    [11, ticks],
    [17, 3],
    [19, startTicks],
    [21, pages],
  ] as const)
    fields[index] = value;
  return `${pid} (${name}) ${fields.join(' ')}\n`;
}
const host = (texts: Record<string, string>): Files =>
  fakeFiles(Object.assign(texts, { 'proc/meminfo': 'MemTotal: 1000000 kB\n' }));

describe('processSource', () => {
  it('describes captured processes', async () => {
    const { part } = await processSource(captured(HOST), KEEP).read({ ts: 1_795_000_000, up: 4000 });
    const apiserver = part.processes?.find(({ name }) => name === 'kube-apiserver');
    expect(apiserver).toMatchObject({ status: 'S', cpu_percent: null, user: expect.any(String) });
    expect(apiserver?.command).toMatch(/^kube-apiserver --advertise-address=/);
    expect(Buffer.byteLength(apiserver?.command ?? '')).toBeLessThanOrEqual(512);
    expect(apiserver?.memory_bytes).toBe(Number(capturedText(HOST, 'proc/29528/stat').split(' ')[23]) * 4096);
    expect(apiserver?.started_at).toBeGreaterThan(1_794_990_000);
  });

  it('gives CPU as per cent of one core, also for one that began in between', async () => {
    const texts: Record<string, string> = { 'proc/7/stat': statLine(7, 100, 500, 10) };
    const source = processSource(host(texts), KEEP);
    await source.read({ ts: 0, up: 100 });
    texts['proc/7/stat'] = statLine(7, 100 + 6000, 500, 10);
    texts['proc/8/stat'] = statLine(8, 1500, 13_000, 10, 'young');
    texts['proc/9/stat'] = statLine(9, 1500, 20, 10, 'old-but-unseen');
    const { part } = await source.read({ ts: 60, up: 160 });
    const percent = Object.fromEntries(part.processes?.map(({ name, cpu_percent }) => [name, cpu_percent]) ?? []);
    expect(percent).toEqual({ burn: 100, young: 25, 'old-but-unseen': null });
  });

  it('takes a reused pid for another process', async () => {
    const texts = { 'proc/7/stat': statLine(7, 9000, 500, 10), 'proc/7/cmdline': 'first' };
    const source = processSource(host(texts), KEEP);
    await source.read({ ts: 0, up: 100 });
    texts['proc/7/stat'] = statLine(7, 60, 15_000, 10);
    texts['proc/7/cmdline'] = 'second';
    const { part } = await source.read({ ts: 60, up: 160 });
    expect(part.processes).toMatchObject([{ cpu_percent: 1, command: 'second', started_at: 50 }]);
  });

  it('describes anew a process that ran another program under its pid', async () => {
    const texts = { 'proc/7/stat': statLine(7, 100, 500, 10, 'sh'), 'proc/7/cmdline': 'sh\0-c\0exec work' };
    const source = processSource(host(texts), KEEP);
    await source.read({ ts: 0, up: 100 });
    texts['proc/7/stat'] = statLine(7, 700, 500, 10, 'work');
    texts['proc/7/cmdline'] = 'work\0--hard';
    const { part } = await source.read({ ts: 60, up: 160 });
    expect(part.processes).toMatchObject([{ name: 'work', command: 'work --hard', cpu_percent: 10 }]);
  });

  it('tells those who look for changes the name that is sent', async () => {
    const texts = {
      'proc/7/stat': statLine(7, 100, 500, 10, 'MainThread'),
      'proc/7/cmdline': '/usr/bin/node\0server.js',
    };
    const source = processSource(host(texts), KEEP);
    const names = [];
    for (const up of [100, 160]) {
      const { part } = await source.read({ ts: up, up });
      names.push(part.processes?.[0]?.name, source.seen()[0]?.name);
    }
    expect(names).toEqual(['node', 'node', 'node', 'node']);
  });

  it('gives no rate when the counter went back', async () => {
    const texts = { 'proc/7/stat': statLine(7, 9000, 500, 10) };
    const source = processSource(host(texts), KEEP);
    await source.read({ ts: 0, up: 100 });
    texts['proc/7/stat'] = statLine(7, 8000, 500, 10);
    expect((await source.read({ ts: 60, up: 160 })).part.processes?.[0]?.cpu_percent).toBeNull();
  });

  it('leaves out a process that ends while it is read, and one whose text is cut', async () => {
    const files = host({ 'proc/7/stat': statLine(7, 1, 1, 10), 'proc/8/stat': '8 (cut' });
    const list = (path: string): string[] => (path === 'proc' ? ['7', '8', '9', 'self', 'net'] : files.list(path));
    const { part } = await processSource({ ...files, list }, KEEP).read({ ts: 0, up: 100 });
    expect(part.processes?.map(({ pid }) => pid)).toEqual([7]);
  });

  it('sends at most 50 by CPU and 50 by memory, each once', async () => {
    const texts: Record<string, string> = {};
    for (let pid = 1; pid <= 300; pid += 1) texts[`proc/${pid}/stat`] = statLine(pid, 0, 1, pid);
    const source = processSource(host(texts), KEEP);
    await source.read({ ts: 0, up: 100 });
    for (let pid = 1; pid <= 300; pid += 1) texts[`proc/${pid}/stat`] = statLine(pid, 301 - pid, 1, pid);
    const { part } = await source.read({ ts: 60, up: 160 });
    const pids = part.processes?.map(({ pid }) => pid) ?? [];
    expect(new Set(pids).size).toBe(100);
    expect([...pids].toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 50 }, (_, i) => i + 1),
      ...Array.from({ length: 50 }, (_, i) => i + 251),
    ]);
  });

  it('reads 1 KiB of a command line, however long it is', async () => {
    const asked: [string, number][] = [];
    const files = host({ 'proc/7/stat': statLine(7, 1, 1, 10), 'proc/7/cmdline': `app\0${'a b '.repeat(500_000)}` });
    const head: Files['head'] = (path, most) => {
      asked.push([path, most]);
      return files.head(path, most);
    };
    const { part } = await processSource({ ...files, head }, KEEP).read({ ts: 0, up: 9 });
    expect(asked).toEqual([['proc/7/cmdline', 1024]]);
    expect(part.processes?.[0]?.command).toHaveLength(512);
  });

  it.runIf(process.platform === 'linux')(
    'describes a real process with more than a megabyte of arguments',
    async () => {
      const argv = [
        '-e',
        'setTimeout(() => {}, 600_000)',
        '--',
        ...Array.from({ length: 12 }, () => 'https://u:Zq8@h/ '.repeat(6000)),
      ];
      const child = spawn(process.execPath, argv, { stdio: 'ignore' });
      onTestFinished(() => void child.kill('SIGKILL'));
      const only = filesUnder('/');
      const files: Files = { ...only, list: (path) => (path === 'proc' ? [String(child.pid)] : only.list(path)) };
      await vi.waitFor(() => {
        expect(files.head(`proc/${child.pid}/cmdline`, 4096)?.text).toContain('https://');
      });
      const { part } = await processSource(files, KEEP).read({ ts: 0, up: 9 });
      expect(files.head(`proc/${child.pid}/cmdline`, 4096)?.text).toHaveLength(4096);
      expect(part.processes?.[0]?.command).toContain('https://u:[redacted]@h/');
      expect(part.processes?.[0]?.command).not.toContain('Zq8');
    },
  );

  it('keeps secrets and arguments on the host', async () => {
    const texts = { 'proc/7/stat': statLine(7, 1, 1, 10, 'mysql'), 'proc/7/cmdline': 'mysql\0-phunter2\0' };
    const commandOf = async (stripArguments: boolean): Promise<string | undefined> =>
      (await processSource(host(texts), { stripArguments }).read({ ts: 0, up: 9 })).part.processes?.[0]?.command;
    expect(await commandOf(false)).toBe('mysql -p[redacted]');
    expect(await commandOf(true)).toBe('mysql');
  });
});

it('lists nobody twice and nobody without use', () => {
  const one = (pid: number, cpuPercent: number | null, residentPages: number): ProcessSeen => ({
    pid,
    startTicks: 0,
    name: 'x',
    state: 'S',
    cpuTicks: 0,
    threads: 1,
    residentPages,
    cpuPercent,
  });
  expect(topProcesses([one(1, 5, 5), one(2, 0, 0), one(3, null, 1)], 1).map(({ pid }) => pid)).toEqual([1]);
});

it('names users as /etc/passwd does, the first entry of an id winning', () => {
  const names = parsePasswd('root:x:0:0::/root:/bin/sh\ntoor:x:0:0::/:\nbroken\nweb:x:33:33::/:\n');
  expect([names.get(0), names.get(33), names.get(1)]).toEqual(['root', 'web', undefined]);
});

it.each([
  ['kube-controller', '/usr/bin/kube-controller-manager\0--x', 'kube-controller-manager'],
  ['MainThread', 'node\0main.js', 'node'],
  ['MainThread', '', 'MainThread'],
  ['postgres', 'postgres: writer', 'postgres'],
])('%s of %j is %s', (name, raw, full) => {
  expect(fullName(name, raw)).toBe(full);
});
