import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SeriesStoreSettings } from '../series/remote/series-store.ts';

/** A proxy before a time-series store, which requires a token and may answer late. */
export interface StoreGate {
  settings: SeriesStoreSettings;
  /** Holds requests from now on. Resolves when the first one is here. */
  hold(): Promise<void>;
  /** Lets the held requests pass, and those that follow. */
  release(): void;
  close(): void;
}

export async function startStoreGate(store: SeriesStoreSettings, token: string): Promise<StoreGate> {
  const target = new URL(store.readUrl);
  let held: Promise<void> | null = null;
  let release = (): void => undefined;
  let arrive = (): void => undefined;
  const server = createServer((incoming, response) => {
    void (async () => {
      arrive();
      await held;
      if (incoming.headers.authorization !== `Bearer ${token}`) {
        response.writeHead(401).end('Unauthorized');
        return;
      }
      const { method, url, headers } = incoming;
      const onward = request({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      incoming.pipe(onward);
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    settings: { ...store, writeUrl: `${url}/api/v1/write`, readUrl: url, deleteUrl: null, token },
    hold: () => {
      held = new Promise((resolve) => {
        release = resolve;
      });
      return new Promise((resolve) => {
        arrive = resolve;
      });
    },
    release: () => release(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
