import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandInObject {
  metadata: { uid: string; name: string; resourceVersion?: string };
  [field: string]: unknown;
}
export type Fault = (request: IncomingMessage, answer: ServerResponse) => void;

interface Change {
  version: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: StandInObject;
}

/** Lists in pages and watches one resource the way the API server does, and breaks the way it and the way to it do. */
export class StandInApi {
  readonly seen: { kind: 'list' | 'watch'; authorization: string | undefined }[] = [];
  /** Used up one by one, by the next requests of that kind. */
  readonly faults: { list: Fault[]; watch: Fault[] } = { list: [], watch: [] };
  readonly #objects = new Map<string, StandInObject>();
  #log: Change[] = [];
  #compactedTo = 0;
  #version = 1;
  readonly #watchers = new Set<ServerResponse>();
  readonly #server: Server = createServer((request, answer) => this.#serve(request, answer));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  put(object: StandInObject): void {
    const { uid } = object.metadata;
    this.#change(this.#objects.has(uid) ? 'MODIFIED' : 'ADDED', object);
    this.#objects.set(uid, object);
  }
  delete(uid: string): void {
    const object = this.#objects.get(uid);
    if (!object) throw new Error(`no ${uid}`);
    this.#objects.delete(uid);
    this.#change('DELETED', object);
  }
  /** Forgets history: a watch from an older version is answered "gone". */
  compact(): void {
    this.#compactedTo = this.#version;
    this.#log = [];
  }
  /** Ends every open watch as a timeout of the server does. */
  endWatches(): void {
    for (const watcher of this.#watchers) watcher.end();
    this.#watchers.clear();
  }
  get openWatches(): number {
    return this.#watchers.size;
  }
  uids(): string[] {
    return [...this.#objects.keys()].toSorted();
  }
  count(kind: 'list' | 'watch'): number {
    return this.seen.filter((entry) => entry.kind === kind).length;
  }

  #change(type: Change['type'], object: StandInObject): void {
    this.#version += 1;
    object.metadata.resourceVersion = String(this.#version);
    const change = { version: this.#version, type, object: structuredClone(object) };
    this.#log.push(change);
    for (const watcher of this.#watchers) writeEvent(watcher, type, change.object);
  }

  #serve(request: IncomingMessage, answer: ServerResponse): void {
    const query = new URL(request.url ?? '/', 'http://stand-in').searchParams;
    const kind = query.get('watch') ? 'watch' : 'list';
    this.seen.push({ kind, authorization: request.headers.authorization });
    const fault = this.faults[kind].shift();
    if (fault) fault(request, answer);
    else if (kind === 'list') this.#list(query, answer);
    else this.#watch(Number(query.get('resourceVersion')), answer);
  }

  #list(query: URLSearchParams, answer: ServerResponse): void {
    const limit = Number(query.get('limit'));
    const from = Number(query.get('continue') ?? 0);
    const items = [...this.#objects.values()];
    const next = from + limit < items.length ? String(from + limit) : undefined;
    answer.setHeader('content-type', 'application/json');
    answer.end(
      JSON.stringify({
        metadata: { resourceVersion: String(this.#version), continue: next },
        items: items.slice(from, from + limit),
      }),
    );
  }

  #watch(from: number, answer: ServerResponse): void {
    answer.writeHead(200, { 'content-type': 'application/json' });
    if (from < this.#compactedTo) return gone(answer);
    answer.flushHeaders();
    for (const change of this.#log) if (change.version > from) writeEvent(answer, change.type, change.object);
    this.#watchers.add(answer);
    answer.on('close', () => this.#watchers.delete(answer));
  }
}

function writeEvent(answer: ServerResponse, type: string, object: unknown): void {
  answer.write(`${JSON.stringify({ type, object })}\n`);
}
function gone(answer: ServerResponse): void {
  writeEvent(answer, 'ERROR', { kind: 'Status', code: 410, message: 'too old resource version' });
  answer.end();
}

/** The eight ways a watch is parted from its server. */
export const faults = {
  closeAtOnce: (_request, answer) => answer.writeHead(200).end(),
  goneAtOnce: (_request, answer) => gone(answer.writeHead(200)),
  serverError: (_request, answer) => answer.writeHead(500).end('{"kind":"Status","message":"etcd is ill"}'),
  reset: (request) => request.socket.destroy(),
  truncated: (_request, answer) => answer.writeHead(200).end('{"type":"ADDED","object":{"metadata":{"uid":"hal'),
  silent: (_request, answer) => answer.writeHead(200).flushHeaders(),
  tooMany: (_request, answer) => answer.writeHead(429, { 'retry-after': '7' }).end(),
  unauthorized: (_request, answer) => answer.writeHead(401).end(),
} satisfies Record<string, Fault>;
