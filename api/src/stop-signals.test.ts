import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onStopSignal } from './stop-signals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const stopped: string[] = [];
const exit = vi.fn<() => void>();
let forget = (): void => {};
beforeEach(() => {
  stopped.length = 0;
  exit.mockClear();
  forget = onStopSignal((signal) => void stopped.push(signal), exit);
});
afterEach(() => forget());
const send = (...signals: NodeJS.Signals[]): void => {
  for (const signal of signals) process.emit(signal, signal);
};

test('signals within a second count as one: npm passes on the Ctrl-C that the terminal sends as well', async () => {
  send('SIGINT', 'SIGINT', 'SIGTERM');
  await vi.advanceTimersByTimeAsync(999);
  send('SIGHUP');
  expect([stopped, exit.mock.calls]).toEqual([['SIGINT'], []]);
});

test('a later one does not wait', async () => {
  send('SIGTERM');
  await vi.advanceTimersByTimeAsync(1001);
  send('SIGTERM');
  expect([stopped, exit.mock.calls]).toEqual([['SIGTERM'], [[]]]);
});

test('a signal that was sent with the first one counts as one, also when a busy process reads it seconds later', () => {
  send('SIGINT');
  // The timer has run, but the event loop has not read its signals yet.
  vi.advanceTimersToNextTimer();
  send('SIGINT');
  expect([stopped, exit.mock.calls]).toEqual([['SIGINT'], []]);
});
