import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Connection } from '../watch/connection.ts';

export interface Told {
  status: number;
  body: unknown;
}
const NOT_FOUND: Told = {
  status: 404,
  body: { kind: 'Status', message: 'the server could not find the requested resource' },
};

/** An API server with many resources: each path answers with what is put there, each watch stays open and silent. */
export class StandInCluster {
  readonly answers = new Map<string, Told>();
  readonly seen: string[] = [];
  readonly #pages = new Map<string, (query: URLSearchParams) => Told>();
  readonly #hanging = new Map<string, () => void>();
  readonly #watches = new Set<ServerResponse>();
  readonly #server: Server = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    this.seen.push(pathname);
    if (searchParams.get('watch')) {
      this.#watches.add(answer);
      answer.writeHead(200).flushHeaders();
      return;
    }
    const onRequest = this.#hanging.get(pathname);
    if (onRequest) {
      this.#watches.add(answer);
      onRequest();
      return;
    }
    const { status, body } = this.#pages.get(pathname)?.(searchParams) ?? this.answers.get(pathname) ?? NOT_FOUND;
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

  /** A connection to it; both end with the test. */
  async connect(): Promise<Connection> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    const connection = new Connection({ server: `http://127.0.0.1:${port}`, token: () => Promise.resolve('t') });
    onTestFinished(() => {
      connection.close();
      for (const watch of this.#watches) watch.destroy();
      this.#server.closeAllConnections();
      this.#server.close();
    });
    return connection;
  }

  put(path: string, items: readonly unknown[]): void {
    this.answers.set(path, { status: 200, body: { metadata: { resourceVersion: '1' }, items } });
  }
  /** As `put`, but with the objects on the last of many pages; `onPage` runs when one is requested. */
  putPages(path: string, items: readonly unknown[], count: number, onPage: () => void): void {
    this.#pages.set(path, (query) => {
      const page = Number(query.get('continue') ?? 1);
      onPage();
      const isLast = page >= count;
      const metadata = { resourceVersion: '1', ...(isLast ? {} : { continue: String(page + 1) }) };
      return { status: 200, body: { metadata, items: isLast ? items : [] } };
    });
  }
  /** Requests of this path are never answered. */
  hang(path: string, onRequest: () => void): void {
    this.#hanging.set(path, onRequest);
  }
  refuse(path: string, status: number, message: string): void {
    this.answers.set(path, { status, body: { kind: 'Status', message } });
  }
}
