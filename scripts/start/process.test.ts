import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Started, keepRunning, startNode } from './process.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function parts() {
  const begun: { end(code: number): void; stopped: boolean }[] = [];
  const begin = (): Started => {
    const exit = Promise.withResolvers<number>();
    const part = { end: exit.resolve, stopped: false };
    begun.push(part);
    return {
      name: 'collector',
      pid: begun.length,
      exited: exit.promise,
      stop: () => {
        part.stopped = true;
        exit.resolve(0);
        return Promise.resolve();
      },
    };
  };
  return { begun, begin };
}

test('a part that ends is started again, later each time', async () => {
  const { begun, begin } = parts();
  const said: string[] = [];
  keepRunning(begin, [78], (line) => void said.push(line));
  for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
    const before = begun.length;
    begun.at(-1)?.end(1);
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(begun).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toHaveLength(before + 1);
  }
  expect(said).toContain('collector ended with exit code 1; starting it again in 30 s');
});

test('a final exit code ends it', async () => {
  const { begun, begin } = parts();
  const kept = keepRunning(begin, [78], () => {});
  begun[0]?.end(78);
  expect(await kept.exited).toBe(78);
  expect(begun).toHaveLength(1);
});

test('stopping ends the running part and any wait for the next', async () => {
  const { begun, begin } = parts();
  const kept = keepRunning(begin, [], () => {});
  begun[0]?.end(1);
  await vi.advanceTimersByTimeAsync(0);
  await kept.stop();
  await kept.exited;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toHaveLength(1);
});

test('a real child: its lines arrive, stop ends it', async () => {
  vi.useRealTimers();
  const line = Promise.withResolvers<string>();
  const child = startNode(
    'child',
    ['-e', 'console.log(process.env.WORD); setInterval(() => {}, 1000)'],
    { WORD: 'hello' },
    line.resolve,
  );
  expect(await line.promise).toBe('hello');
  await child.stop();
  expect(await child.exited).toBe(143);
});

test('a child does not outlive a process that ends without stopping it', async () => {
  vi.useRealTimers();
  const module = join(import.meta.dirname, 'process.ts');
  const parent = `import { startNode } from ${JSON.stringify(module)};
    const child = startNode('child', ['-e', 'console.log("up"); setInterval(() => {}, 1000)'], {}, () => {
      console.log(child.pid);
      throw new Error('unexpected');
    });`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', parent], { encoding: 'utf8' });
  expect(status).toBe(1);
  const pid = Number(stdout);
  expect(pid).toBeGreaterThan(1);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 });
});
