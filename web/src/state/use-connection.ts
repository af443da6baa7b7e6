import { useSyncExternalStore } from 'react';
import { onTick } from '../time/clock.ts';
import { connection, connectionState } from './connection.ts';
import type { ConnectionState } from './connection.ts';

function subscribe(listener: () => void): () => void {
  const stops = [connection.subscribe(listener), onTick(listener)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Returns the state of the connection, and draws again only when it changes. */
export const useConnectionState = (): ConnectionState =>
  useSyncExternalStore(subscribe, () => connectionState(connection.get(), Date.now()));
