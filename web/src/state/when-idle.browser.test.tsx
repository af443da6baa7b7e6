import { expect, it, onTestFinished, vi } from 'vitest';
import { whenIdle } from './when-idle.ts';

it('runs later, once the browser is idle, unless it was cancelled', async () => {
  const [kept, cancelled] = [vi.fn<() => void>(), vi.fn<() => void>()];
  whenIdle(kept);
  whenIdle(cancelled)();
  expect(kept).not.toHaveBeenCalled();
  await expect.poll(() => kept.mock.calls.length, { timeout: 30_000 }).toBe(1);
  expect(cancelled).not.toHaveBeenCalled();
});

it('runs at once in a browser that has no idle callbacks', () => {
  const idle = window.requestIdleCallback;
  onTestFinished(() => void (window.requestIdleCallback = idle));
  // @ts-expect-error Safari has none.
  window.requestIdleCallback = undefined;
  const run = vi.fn<() => void>();
  whenIdle(run)();
  expect(run).toHaveBeenCalledOnce();
});
