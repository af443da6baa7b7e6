import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../collector/src/kubernetes/watch/api-error.ts';
import { Connection } from '../../collector/src/kubernetes/watch/connection.ts';
import { findCredentials } from '../../collector/src/kubernetes/watch/credentials.ts';
import { pods, type ProjectedPod } from '../../collector/src/kubernetes/watch/pods.ts';
import { Projection } from '../../collector/src/kubernetes/watch/projection.ts';
import { Reflector } from '../../collector/src/kubernetes/watch/reflector.ts';
import { FakeTiming } from '../../collector/src/kubernetes/testing/fake-timing.ts';
import { type Fault, faults } from '../../collector/src/kubernetes/testing/stand-in-api.ts';

const NAMESPACE = 'plimsoll-reflector';
const PATH = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** Stands before the real API server and breaks what the test says. */
class FaultyProxy {
  readonly waiting: Fault[] = [];
  readonly #upstream: Connection;
  readonly #open = new Set<ServerResponse>();
  readonly #server: Server = createServer((request, answer) => void this.#serve(request, answer));

  constructor(upstream: Connection) {
    this.#upstream = upstream;
  }
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
  get watches(): number {
    return this.#open.size;
  }
  endWatches(): void {
    for (const answer of this.#open) answer.end();
    this.#open.clear();
  }

  async #serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const isWatch = request.url?.includes('watch=1') === true;
    const fault = isWatch ? this.waiting.shift() : undefined;
    if (fault) return fault(request, answer);
    const gone = new AbortController();
    answer.on('close', () => gone.abort());
    try {
      const found = await this.#upstream.open({ path: request.url ?? '/', signal: gone.signal, idleMs: 0 });
      answer.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      if (isWatch) {
        this.#open.add(answer);
        answer.on('close', () => this.#open.delete(answer));
      }
      pipeline(found, answer, () => undefined);
    } catch (error) {
      answer.writeHead(error instanceof ApiError && error.status > 0 ? error.status : 502).end();
    }
  }
}

describe('reflector before a real API server', () => {
  let upstream: Connection;
  let proxy: FaultyProxy;
  let connection: Connection;
  let projection: Projection<ProjectedPod>;
  let timing: FakeTiming;
  let stop: AbortController;
  let running: Promise<void>;
  let reflector: Reflector<ProjectedPod>;

  beforeAll(async () => {
    const place = {
      serviceHost: null,
      servicePort: null,
      kubeconfig: process.env.KUBECONFIG ?? null,
      serviceAccountDir: '',
    };
    upstream = new Connection(await findCredentials(place, () => Date.now()));
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    await upstream.json({ method: 'POST', path: '/api/v1/namespaces', body });
    // Pods are admitted once the namespace has its service account.
    await vi.waitFor(() => upstream.json({ path: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/default` }), {
      timeout: 30_000,
    });
  });
  afterAll(async () => {
    await upstream.json({ method: 'DELETE', path: `/api/v1/namespaces/${NAMESPACE}` });
    upstream.close();
  });
  beforeEach(async () => {
    proxy = new FaultyProxy(upstream);
    timing = new FakeTiming();
    stop = new AbortController();
    projection = new Projection();
    connection = new Connection({ server: await proxy.start(), token: () => Promise.resolve(null) });
    reflector = new Reflector({ ...pods, path: PATH }, connection, projection, timing);
    running = reflector.run(stop.signal);
  });
  afterEach(async () => {
    stop.abort();
    await running;
    connection.close();
    await proxy.stop();
  });

  /** Never scheduled: no node has such a label. */
  const create = (name: string): Promise<unknown> => {
    const spec = { nodeSelector: { 'plimsoll.test/none': 'none' }, containers: [{ name: 'c', image: 'none' }] };
    return upstream.json({
      method: 'POST',
      path: PATH,
      body: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec },
    });
  };
  const remove = (name: string): Promise<unknown> =>
    upstream.json({ method: 'DELETE', path: `${PATH}/${name}?gracePeriodSeconds=0` });
  const label = (name: string, value: string): Promise<unknown> =>
    upstream.json({
      method: 'PATCH',
      path: `${PATH}/${name}`,
      body: { metadata: { labels: { value } } },
      contentType: 'application/merge-patch+json',
    });
  const byUid = (all: Iterable<ProjectedPod>): ProjectedPod[] => [...all].toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
  const fresh = async (): Promise<ProjectedPod[]> =>
    byUid((await upstream.json<{ items: unknown[] }>({ path: PATH })).items.map((one) => pods.project(one)));
  const settled = (poke: () => void = () => undefined): Promise<void> =>
    vi.waitFor(
      async () => {
        poke();
        expect(proxy.waiting).toEqual([]);
        expect(byUid(projection.objects.values())).toEqual(await fresh());
        expect(proxy.watches).toBe(1);
      },
      { timeout: 60_000, interval: 100 },
    );

  it.each<[string, Fault]>(Object.entries(faults))('equals a fresh listing after: %s', async (name, fault) => {
    const prefix = name.toLowerCase();
    await create(`${prefix}-stays`);
    await create(`${prefix}-goes`);
    await settled();
    proxy.waiting.push(fault, fault, fault);
    proxy.endWatches();
    await remove(`${prefix}-goes`);
    await create(`${prefix}-comes`);
    await label(`${prefix}-stays`, 'changed');
    // A silent watch ends by the alarm only.
    await settled(name === 'silent' ? () => timing.ring() : undefined);
    expect([...projection.objects.values()].find((pod) => pod.name === `${prefix}-stays`)?.labels.value).toBe(
      'changed',
    );
    // The last ring may have cut a watch that was well.
    await vi.waitFor(() => expect(reflector.status.state).toBe('ok'), { timeout: 60_000 });
  });
});
