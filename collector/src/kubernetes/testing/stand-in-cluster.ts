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
  readonly #watches = new Set<ServerResponse>();
  readonly #server: Server = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    this.seen.push(pathname);
    if (searchParams.get('watch')) {
      this.#watches.add(answer);
      answer.writeHead(200).flushHeaders();
      return;
    }
    const { status, body } = this.answers.get(pathname) ?? NOT_FOUND;
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
  refuse(path: string, status: number, message: string): void {
    this.answers.set(path, { status, body: { kind: 'Status', message } });
  }
}
