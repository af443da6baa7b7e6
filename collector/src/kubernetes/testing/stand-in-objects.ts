import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Connection } from '../watch/connection.ts';
import type { Condition } from '../operator/live-objects.ts';

interface Kept {
  metadata: {
    namespace: string;
    name: string;
    uid: string;
    generation: number;
    resourceVersion: string;
    creationTimestamp: string;
  };
  spec: Record<string, unknown>;
  status?: { observedGeneration: number; conditions: Condition[] };
}
export interface SeenEvent {
  type: string;
  reason: string;
  message: string;
  involvedObject: { name: string };
}

const STATUS = /^\/apis\/plimsoll\.dev\/v1alpha1\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)\/status$/;
const LIST = /^\/apis\/plimsoll\.dev\/v1alpha1\/([^/]+)$/;

/** Serves the three kinds of custom resources as the API server does: lists, watches, status patches and events. */
export class StandInObjects {
  readonly events: SeenEvent[] = [];
  /** Plurals that answer 404, as without their definitions. */
  readonly absent = new Set<string>();
  /** Runs before a status is written. */
  beforePatch: (plural: string, name: string) => void = () => undefined;
  patches = 0;
  #version = 1;
  #uids = 0;
  readonly #objects = new Map<string, Kept>();
  readonly #watches = new Map<ServerResponse, string>();

  async connect(): Promise<Connection> {
    const server = createServer((request, answer) => void this.#serve(request, answer));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const connection = new Connection({
      server: `http://127.0.0.1:${String(port)}`,
      token: () => Promise.resolve('t'),
    });
    onTestFinished(() => {
      connection.close();
      server.closeAllConnections();
      server.close();
    });
    return connection;
  }

  /** Creates an object, or changes its spec. */
  apply(plural: string, place: string, spec: Record<string, unknown>): void {
    const key = `${plural}/${place}`;
    const before = this.#objects.get(key);
    const [namespace = '', name = ''] = place.split('/');
    this.#uids += before ? 0 : 1;
    this.#version += 1;
    const metadata = {
      namespace,
      name,
      uid: before?.metadata.uid ?? `uid-${String(this.#uids)}`,
      generation: (before?.metadata.generation ?? 0) + 1,
      resourceVersion: String(this.#version),
      creationTimestamp: before?.metadata.creationTimestamp ?? '2026-01-01T00:00:00Z',
    };
    const kept = { ...before, metadata, spec };
    this.#objects.set(key, kept);
    this.#tell(plural, before ? 'MODIFIED' : 'ADDED', kept);
  }
  delete(plural: string, place: string): void {
    const kept = this.#objects.get(`${plural}/${place}`);
    this.#objects.delete(`${plural}/${place}`);
    this.#version += 1;
    if (kept) this.#tell(plural, 'DELETED', kept);
  }
  /** "Accepted=True Accepted, Synced=…" */
  conditions(plural: string, place: string): string {
    const conditions = this.#objects.get(`${plural}/${place}`)?.status?.conditions ?? [];
    return conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`).join(', ');
  }
  condition(plural: string, place: string, type: string): Condition | undefined {
    return this.#objects.get(`${plural}/${place}`)?.status?.conditions.find((one) => one.type === type);
  }

  #tell(plural: string, type: string, object: Kept): void {
    const line = `${JSON.stringify({ type, object })}\n`;
    for (const [watch, its] of this.#watches) if (its === plural) watch.write(line);
  }

  async #serve(request: IncomingMessage, answer: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    const [, plural = ''] = LIST.exec(pathname) ?? [];
    const send = (status: number, body: unknown): unknown =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (this.absent.has(plural)) return send(404, { message: 'the server could not find the requested resource' });
    if (plural !== '' && searchParams.has('watch')) {
      answer.writeHead(200).flushHeaders();
      this.#watches.set(answer, plural);
      return undefined;
    }
    if (plural !== '') {
      const items = [...this.#objects].flatMap(([key, kept]) => (key.startsWith(`${plural}/`) ? [kept] : []));
      return send(200, { metadata: { resourceVersion: String(this.#version) }, items });
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Kept & SeenEvent;
    if (pathname.endsWith('/events')) {
      this.events.push(body);
      return send(201, {});
    }
    const [, namespace = '', its = '', name = ''] = STATUS.exec(pathname) ?? [];
    this.beforePatch(its, name);
    const kept = this.#objects.get(`${its}/${namespace}/${name}`);
    if (kept === undefined) return send(404, { message: 'not found' });
    if (kept.metadata.resourceVersion !== body.metadata.resourceVersion) return send(409, { message: 'conflict' });
    this.patches += 1;
    this.#version += 1;
    kept.metadata = { ...kept.metadata, resourceVersion: String(this.#version) };
    if (body.status) kept.status = body.status;
    this.#tell(its, 'MODIFIED', kept);
    return send(200, kept);
  }
}
