import { useEffect } from 'react';
import type { QueryClient } from '@tanstack/react-query';
import {
  connection,
  connectionState,
  needsProbe,
  recordOffline,
  recordOnline,
  recordUnreachable,
} from '../../state/connection.ts';
import { liveness } from '../../state/liveness.ts';
import { onTick } from '../../time/clock.ts';
import { request, RequestFailed } from '../client.ts';
import { POLL, PROBE_TIMEOUT } from '../polling.ts';
import { useQueryClient } from '../query.ts';

/** Sends a cheap call that needs the API and its database. Every answer records itself. */
async function probe(): Promise<void> {
  try {
    await request('/api/health', { signal: AbortSignal.timeout(PROBE_TIMEOUT) });
  } catch (error) {
    const status = error instanceof RequestFailed ? error.status : 0;
    if (status === 0) recordUnreachable(null);
    else if (status >= 500) recordUnreachable(error instanceof Error ? error.message : null);
  }
}

/**
 * Decides by probes whether the API can be reached, and reloads the figures when it can again.
 * Returns the function that ends the watch.
 */
export function watchConnection(queries: QueryClient): () => void {
  let isProbing = false;
  let probedAt = Number.NEGATIVE_INFINITY;
  let wasLost = false;

  const check = async () => {
    const now = Date.now();
    const isLost = connectionState(connection.get(), now) === 'lost';
    if (wasLost && !isLost && liveness.get()) void queries.invalidateQueries();
    wasLost = isLost;
    if (isProbing || document.hidden || !needsProbe(connection.get(), now)) return;
    if (Math.abs(now - probedAt) < POLL.connection) return;
    probedAt = now;
    isProbing = true;
    await probe();
    isProbing = false;
  };
  const onOnline = () => {
    probedAt = Number.NEGATIVE_INFINITY;
    recordOnline();
  };
  const onChange = () => void check();
  const stops = [connection.subscribe(onChange), onTick(onChange)];
  window.addEventListener('offline', recordOffline);
  window.addEventListener('online', onOnline);
  document.addEventListener('visibilitychange', onChange);
  onChange();
  return () => {
    for (const stop of stops) stop();
    window.removeEventListener('offline', recordOffline);
    window.removeEventListener('online', onOnline);
    document.removeEventListener('visibilitychange', onChange);
  };
}

export function useConnectionWatch(): void {
  const queries = useQueryClient();
  useEffect(() => watchConnection(queries), [queries]);
}
