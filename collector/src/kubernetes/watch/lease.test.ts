import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from './connection.ts';
import { LEASE_TIMES, LeaseElection, microTime } from './lease.ts';
import { FakeTiming } from '../testing/fake-timing.ts';

interface StoredLease {
  metadata: { resourceVersion: string };
  spec: { holderIdentity: string; renewTime: string; leaseTransitions: number };
}
/** Seconds from 2020-01-01 to the start of FakeTiming: a new Lease starts there, its first holder one above. */
const FIRST_TERM = (Date.UTC(2026, 0, 1) - Date.UTC(2020, 0, 1)) / 1000 + 1;
const MICRO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** One lease with optimistic concurrency, strict about MicroTime as the API server is. */
class LeaseServer {
  lease: StoredLease | null = null;
  down = false;
  /** Another writer comes between read and write. */
  raceOnce = false;
  /** Time that passes while a request is on its way. */
  delay: (request: Pick<IncomingMessage, 'method'>) => void = () => {};
  readonly #server: Server = createServer((request, answer) => void this.#serve(request, answer));

  async #serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (this.down) return void request.socket.destroy();
    const body = request.method === 'GET' ? null : (JSON.parse(await text(request)) as StoredLease);
    this.delay(request);
    if (!body) return void (this.lease ? answer.end(JSON.stringify(this.lease)) : answer.writeHead(404).end());
    if (!MICRO_TIME.test(body.spec.renewTime)) return void answer.writeHead(400).end();
    if (this.raceOnce) {
      this.raceOnce = false;
      this.#bump();
    }
    const stale =
      request.method === 'POST' ? this.lease : body.metadata.resourceVersion !== this.lease?.metadata.resourceVersion;
    if (stale) return void answer.writeHead(409).end();
    const version = String(Number(this.lease?.metadata.resourceVersion ?? 0) + 1);
    this.lease = { ...body, metadata: { ...body.metadata, resourceVersion: version } };
    answer.end(JSON.stringify(this.lease));
  }

  #bump(): void {
    if (this.lease) this.lease.metadata.resourceVersion = String(Number(this.lease.metadata.resourceVersion) + 1);
  }
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('LeaseElection', () => {
  let server: LeaseServer;
  let timing: FakeTiming;
  let connection: Connection;
  let one: LeaseElection;
  let two: LeaseElection;

  beforeEach(async () => {
    server = new LeaseServer();
    timing = new FakeTiming();
    connection = new Connection({ server: await server.start(), token: () => Promise.resolve(null) });
    const elector = (identity: string) =>
      new LeaseElection(connection, { namespace: 'plimsoll-system', name: 'collector', identity }, timing);
    one = elector('one');
    two = elector('two');
  });
  afterEach(async () => {
    connection.close();
    await server.stop();
  });

  it('writes times with six fraction digits', () => {
    expect(microTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe('2026-01-02T03:04:05.006000Z');
  });

  it('the first to come leads, the second waits', async () => {
    expect(await one.attempt()).toBe(true);
    expect(await two.attempt()).toBe(false);
    expect([one.holdTerm, two.holdTerm]).toEqual([FIRST_TERM, null]);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'one', leaseTransitions: FIRST_TERM });
  });

  it('a leader that renews stays, whatever time passes', async () => {
    for (let round = 0; round < 30; round += 1) {
      expect(await one.attempt()).toBe(true);
      expect(await two.attempt()).toBe(false);
      timing.advance(LEASE_TIMES.retryMs);
    }
    expect(one.holdTerm).toBe(FIRST_TERM);
  });

  it('a silent leader is replaced in less than 20 s, and its own claim ends before that', async () => {
    await one.attempt();
    await two.attempt();
    const from = timing.now();
    let oneSureUntil = from;
    while (!(await two.attempt())) {
      timing.advance(LEASE_TIMES.retryMs);
      if (one.holdTerm !== null) oneSureUntil = timing.now();
    }
    expect(timing.now() - from).toBeLessThan(20_000);
    expect(oneSureUntil).toBeLessThan(timing.now());
    expect(two.holdTerm).toBe(FIRST_TERM + 1);
    expect(await one.attempt()).toBe(false);
  });

  it('judges by its own clock: a lease from the past that is being renewed is not taken', async () => {
    await one.attempt();
    for (let round = 0; round < 20; round += 1) {
      expect(await two.attempt()).toBe(false);
      if (server.lease) server.lease.spec.renewTime = microTime(Date.UTC(1999, 0, 1) + round);
      timing.advance(10_000);
    }
  });

  it.each(['GET', 'PUT'])(
    'a renewal counts from before its request: a slow %s leaves no second leader',
    async (slow) => {
      await one.attempt();
      await two.attempt();
      const asked = timing.now();
      server.delay = ({ method }) => {
        if (method === slow) timing.advance(5000);
      };
      expect(await one.attempt()).toBe(true);
      server.delay = () => {};
      timing.advance(asked + LEASE_TIMES.renewDeadlineSeconds * 1000 - 1 - timing.now());
      expect(one.holdTerm).toBe(FIRST_TERM);
      timing.advance(1);
      expect(one.holdTerm).toBeNull();
    },
  );

  it('takes the lease of a silent leader after its duration, and not at its last moment', async () => {
    await one.attempt();
    await two.attempt();
    timing.advance(LEASE_TIMES.durationSeconds * 1000);
    expect(await two.attempt()).toBe(false);
    timing.advance(1);
    expect(await two.attempt()).toBe(true);
  });

  it('never leads beside another, however slow the requests are', async () => {
    const delays = [0, 3000, 7000, 1000, 9000, 0, 5000, 13_000, 200];
    let turn = 0;
    server.delay = () => timing.advance(delays[turn++ % delays.length] ?? 0);
    for (let round = 0; round < 60; round += 1) {
      await one.attempt();
      expect([one.holdTerm, two.holdTerm]).toContain(null);
      await two.attempt();
      expect([one.holdTerm, two.holdTerm]).toContain(null);
      timing.advance(LEASE_TIMES.retryMs);
    }
  });

  it('a released lease is taken at once', async () => {
    await one.attempt();
    await one.release();
    expect(one.holdTerm).toBeNull();
    expect(await two.attempt()).toBe(true);
    expect(two.holdTerm).toBe(FIRST_TERM + 1);
  });

  it('a deleted lease is made anew with a later term, so that the dashboard does not refuse its holder', async () => {
    await one.attempt();
    await one.release();
    await two.attempt();
    const before = two.holdTerm ?? 0;
    server.lease = null;
    timing.advance(LEASE_TIMES.retryMs);
    expect(await two.attempt()).toBe(true);
    expect(two.holdTerm).toBeGreaterThan(before);
    expect(two.holdTerm).toBeLessThan(2 ** 31);
  });

  it('a lease of an earlier version keeps counting from where it is', async () => {
    await one.attempt();
    if (server.lease) server.lease.spec = { ...server.lease.spec, leaseTransitions: 5, holderIdentity: '' };
    await two.attempt();
    expect(two.holdTerm).toBe(6);
  });

  it('who loses the race for a write does not lead', async () => {
    await one.attempt();
    server.raceOnce = true;
    expect(await one.attempt()).toBe(false);
    expect(one.holdTerm).toBeNull();
    expect(await one.attempt()).toBe(true);
  });

  it('an unreachable API server is a failure, and the claim ends after the renew deadline', async () => {
    await one.attempt();
    server.down = true;
    await expect(one.attempt()).rejects.toThrow(/127\.0\.0\.1/);
    expect(one.holdTerm).toBe(FIRST_TERM);
    timing.advance(LEASE_TIMES.renewDeadlineSeconds * 1000);
    expect(one.holdTerm).toBeNull();
  });
});
