import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connection, connectionState, suspectConnection } from '../../state/connection.ts';
import { watchConnection } from './connection-watch.ts';

const SECOND = 1000;
const ok = () => new Response(JSON.stringify({ success: true, data: {} }));
const failing = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const state = () => connectionState(connection.get(), Date.now());

describe('the watch of the connection', () => {
  const fetched = vi.fn<(url: string) => Promise<Response>>();
  const browser = new EventTarget();
  const page = Object.assign(new EventTarget(), { hidden: false });
  const queries = new QueryClient();
  const reload = vi.spyOn(queries, 'invalidateQueries');
  let stop = () => {};

  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-19T02:10:00Z') });
    vi.stubGlobal('fetch', fetched);
    vi.stubGlobal('window', browser);
    vi.stubGlobal('document', page);
    fetched.mockImplementation(() => Promise.resolve(ok()));
    page.hidden = false;
    connection.set({ answeredAt: Date.now(), fault: null, refusal: null });
    stop = watchConnection(queries);
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    fetched.mockReset();
    reload.mockClear();
  });
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND);

  it('probes nothing while answers come', async () => {
    await pass(29);
    expect([fetched.mock.calls.length, state()]).toEqual([0, 'live']);
  });

  it('probes at once when something failed; an answer clears the suspicion without a reload', async () => {
    suspectConnection();
    await pass(0);
    expect(fetched.mock.calls.map(([url]) => url)).toEqual(['/api/health']);
    expect([state(), connection.get().fault, reload.mock.calls.length]).toEqual(['live', null, 0]);
  });

  it('loses the connection when the probe fails, probes on, and reloads when the API is back', async () => {
    fetched.mockRejectedValue(new TypeError('connection refused'));
    suspectConnection();
    await pass(0);
    expect(state()).toBe('lost');
    await pass(9);
    expect([state(), fetched.mock.calls.length]).toEqual(['lost', 4]);
    fetched.mockImplementation(() => Promise.resolve(ok()));
    await pass(3);
    expect([state(), reload.mock.calls.length]).toEqual(['live', 1]);
    await pass(20);
    expect(fetched).toHaveBeenCalledTimes(5);
  });

  it('keeps the reason of an API without its database', async () => {
    fetched.mockImplementation(() => Promise.resolve(failing(503, { detail: 'The database does not answer' })));
    suspectConnection();
    await pass(0);
    expect([state(), connection.get().refusal]).toEqual(['lost', 'The database does not answer']);
  });

  it('takes a refusal of the API for an answer', async () => {
    fetched.mockImplementation(() => Promise.resolve(failing(429, { detail: 'Too many requests' })));
    suspectConnection();
    await pass(0);
    expect(state()).toBe('live');
  });

  it('probes a page that nothing answered for 30 s, and stays live if the API does', async () => {
    await pass(31);
    expect([fetched.mock.calls.length, state()]).toEqual([1, 'live']);
  });

  it('follows the events of the browser at once', async () => {
    browser.dispatchEvent(new Event('offline'));
    expect(state()).toBe('lost');
    await pass(30);
    expect(fetched).not.toHaveBeenCalled();
    browser.dispatchEvent(new Event('online'));
    await pass(0);
    expect([state(), reload.mock.calls.length]).toEqual(['live', 1]);
  });

  it('leaves the API alone while nobody looks, and probes as soon as somebody does', async () => {
    page.hidden = true;
    await pass(600);
    expect([fetched.mock.calls.length, state()]).toEqual([0, 'lost']);
    page.hidden = false;
    page.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expect([fetched.mock.calls.length, state()]).toEqual([1, 'live']);
  });

  it('counts a probe without an answer as failed', async () => {
    const timeout = new AbortController();
    const made = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    fetched.mockImplementation(() => {
      const { promise, reject } = Promise.withResolvers<Response>();
      timeout.signal.addEventListener('abort', () => reject(new DOMException('no answer', 'TimeoutError')));
      return promise;
    });
    suspectConnection();
    await pass(9);
    expect([made.mock.calls, state()]).toEqual([[[10 * SECOND]], 'live']);
    timeout.abort();
    await pass(0);
    expect(state()).toBe('lost');
    made.mockRestore();
  });

  it('ends', async () => {
    stop();
    suspectConnection();
    browser.dispatchEvent(new Event('offline'));
    await pass(60);
    expect([fetched.mock.calls.length, connection.get().fault]).toEqual([0, 'suspected']);
  });
});
