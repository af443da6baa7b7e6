import { QueryObserver } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionToken } from '../state/session-token.ts';
import { isSignedOutStatus, RequestFailed } from './client.ts';
import { createQueryClient, isSignedOut } from './query-client.ts';

const MINUTE = 60_000;

describe('the defaults of every question', () => {
  let client: QueryClient;
  beforeEach(() => {
    vi.useFakeTimers();
    sessionToken.set('token');
    client = createQueryClient();
  });
  afterEach(() => {
    client.clear();
    vi.useRealTimers();
    sessionToken.set(null);
  });

  /** Asks something that always fails; how often it was tried, and what is left of the session. */
  async function failing(status: number): Promise<{ tries: number; token: string | null }> {
    const queryFn = vi.fn<() => Promise<never>>(() => Promise.reject(new RequestFailed('no', status)));
    const observer = new QueryObserver(client, { queryKey: ['failing', status], queryFn });
    const stop = observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(observer.getCurrentResult().status).toBe('error');
    stop();
    return { tries: queryFn.mock.calls.length, token: sessionToken.get() };
  }

  it.each([0, 400, 403, 404, 429, 500, 503])('tries once more after %d and keeps the session', async (status) => {
    await expect(failing(status)).resolves.toEqual({ tries: 2, token: 'token' });
  });

  it('takes 401 for the end of the session, and does not ask again', async () => {
    await expect(failing(401)).resolves.toEqual({ tries: 1, token: null });
  });

  it('trusts an answer for five minutes and not longer', async () => {
    const queryFn = vi.fn<() => Promise<number>>(() => Promise.resolve(1));
    const look = async () => {
      const stop = new QueryObserver(client, { queryKey: ['kept'], queryFn }).subscribe(() => undefined);
      await vi.advanceTimersByTimeAsync(0);
      stop();
      return queryFn.mock.calls.length;
    };
    expect(await look()).toBe(1);
    vi.setSystemTime(Date.now() + 5 * MINUTE - 1);
    expect(await look()).toBe(1);
    vi.setSystemTime(Date.now() + 2);
    expect(await look()).toBe(2);
  });

  it('is not moved by the window’s focus', () => {
    expect(client.getDefaultOptions().queries?.refetchOnWindowFocus).toBe(false);
  });
});

describe('who counts as signed out', () => {
  it('is told by the status, not by any failure', () => {
    expect(isSignedOut(new RequestFailed('x', 401))).toBe(true);
    expect([new RequestFailed('x', 403), new RequestFailed('x', 0), new Error('401'), null].some(isSignedOut)).toBe(
      false,
    );
    expect([200, 400, 401, 403, 404, 500].filter(isSignedOutStatus)).toEqual([401, 403]);
  });
});
