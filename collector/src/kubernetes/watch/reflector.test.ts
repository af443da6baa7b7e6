import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from './connection.ts';
import { Reflector } from './reflector.ts';
import { FakeTiming } from '../testing/fake-timing.ts';
import { type Fault, faults, StandInApi, type StandInObject } from '../testing/stand-in-api.ts';

const SOON = { timeout: 15_000, interval: 5 };
const api = (name: string): StandInObject => ({ metadata: { uid: name, name } });

describe('Reflector', () => {
  let server: StandInApi;
  let timing: FakeTiming;
  let stop: AbortController;
  let running: Promise<void>;
  let connection: Connection;
  let kept: Set<string>;
  let tokensRead: boolean[];
  let reflector: Reflector<{ uid: string }>;
  let listed: number;

  beforeEach(async () => {
    server = new StandInApi();
    timing = new FakeTiming();
    stop = new AbortController();
    kept = new Set();
    tokensRead = [];
    listed = 0;
    const address = await server.start();
    connection = new Connection({
      server: address,
      token: (fresh) => {
        tokensRead.push(fresh);
        return Promise.resolve(fresh ? 'fresh' : 'cached');
      },
    });
    reflector = new Reflector(
      {
        name: 'things',
        path: '/api/v1/things',
        needs: 'list,watch things',
        project: (object) => {
          const { uid } = (object as StandInObject).metadata;
          if (uid === 'unreadable') throw new Error('what is this');
          return { uid };
        },
      },
      connection,
      {
        upsert: ({ uid }) => kept.add(uid),
        remove: ({ uid }) => kept.delete(uid),
        retain: (uids) => {
          listed += 1;
          kept = new Set([...kept].filter((uid) => uids.has(uid)));
        },
      },
      timing,
    );
    for (const name of ['a', 'b', 'c']) server.put(api(name));
    running = Promise.resolve();
  });
  afterEach(async () => {
    stop.abort();
    await running;
    connection.close();
    await server.stop();
  });

  const start = () => {
    running = reflector.run(stop.signal);
  };
  const settled = () =>
    vi.waitFor(() => {
      expect([...kept].toSorted()).toEqual(server.uids());
      expect(server.openWatches).toBe(1);
    }, SOON);

  it('lists in pages and then follows the watch', async () => {
    for (let index = 0; index < 1200; index += 1) server.put(api(`many-${index}`));
    start();
    await settled();
    expect(server.count('list')).toBe(5);
    expect(listed).toBe(1);
    server.delete('many-7');
    server.put(api('late'));
    await settled();
    expect(reflector.counts.events).toBe(2);
    expect(reflector.status.state).toBe('ok');
  });

  it('counts what it cannot read and keeps the rest', async () => {
    server.put(api('unreadable'));
    start();
    await vi.waitFor(() => expect([...kept].toSorted()).toEqual(['a', 'b', 'c']), SOON);
    expect(reflector.counts.unreadable).toBe(1);
  });

  it.each<[string, Fault]>(Object.entries(faults))(
    'recovers by itself from a watch that meets: %s',
    async (name, fault) => {
      start();
      await settled();
      server.faults.watch.push(...Array.from({ length: 4 }, () => fault));
      server.endWatches();
      server.delete('b');
      server.put(api('d'));
      // A silent watch ends only when the alarm rings; the others never set one off.
      await vi.waitFor(() => {
        if (name === 'silent') timing.ring();
        expect(server.faults.watch).toEqual([]);
        expect([...kept].toSorted()).toEqual(['a', 'c', 'd']);
        expect(server.openWatches).toBe(1);
      }, SOON);
      server.put(api('e'));
      await settled();
      expect(reflector.status.state).toBe('ok');
    },
  );

  it('a server that closes at once is asked ever less often', async () => {
    server.faults.watch.push(...Array.from({ length: 10 }, () => faults.closeAtOnce));
    start();
    await settled();
    expect(timing.waits.slice(0, 10)).toEqual(timing.waits.slice(0, 10).toSorted((x, y) => x - y));
    expect(Math.max(...timing.waits)).toBeGreaterThan(25_000);
    expect(server.count('list')).toBe(1);
  });

  it('an immediate 410 lists again, ever less often', async () => {
    server.faults.watch.push(...Array.from({ length: 6 }, () => faults.goneAtOnce));
    start();
    await settled();
    expect(server.count('list')).toBe(7);
    expect(timing.waits.length).toBeGreaterThanOrEqual(6);
    expect(timing.waits[5]).toBeGreaterThan(20_000);
  });

  it('history compacted away while it was parted: lists again', async () => {
    start();
    await settled();
    server.endWatches();
    server.delete('a');
    server.compact();
    await settled();
    expect(server.count('list')).toBe(2);
  });

  it('waits as long as a 429 asks', async () => {
    server.faults.list.push(faults.tooMany);
    start();
    await settled();
    expect(timing.waits[0]).toBeGreaterThanOrEqual(7000);
    expect(timing.waits[0]).toBeLessThanOrEqual(8000);
  });

  it.each([
    ['3600', 60_000, 60_000],
    ['999999999999', 60_000, 60_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 60_000, 60_000],
    // A demand that cannot be read, or for no time, leaves the backoff.
    ['-1', 900, 1000],
    ['0', 900, 1000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 900, 1000],
  ])('waits neither an hour nor not at all for Retry-After %j', async (header, least, most) => {
    server.faults.list.push((_request, answer) => answer.writeHead(429, { 'retry-after': header }).end());
    start();
    await settled();
    expect(timing.waits[0]).toBeGreaterThanOrEqual(least);
    expect(timing.waits[0]).toBeLessThanOrEqual(most);
  });

  it('reads the token anew after a 401, once, without waiting', async () => {
    server.faults.list.push(faults.unauthorized);
    start();
    await settled();
    expect(tokensRead.slice(0, 2)).toEqual([false, true]);
    expect(server.seen[1]?.authorization).toBe('Bearer fresh');
    expect(timing.waits).toEqual([]);
  });

  it('a cut line is not taken for an event: the watch goes on from the last version', async () => {
    start();
    await settled();
    server.faults.watch.push(faults.truncated);
    server.endWatches();
    server.put(api('d'));
    await settled();
    expect(reflector.counts.brokenLines).toBe(1);
    expect(server.count('list')).toBe(1);
  });

  it('lines that keep breaking end in a fresh listing', async () => {
    start();
    await settled();
    server.faults.watch.push(faults.truncated, faults.truncated, faults.truncated);
    server.endWatches();
    server.put(api('d'));
    await settled();
    expect(server.count('list')).toBe(2);
  });

  it.each([
    [403, 'forbidden', 'forbidden: needs things list,watch'],
    [404, 'absent', 'not served by this cluster: status 404'],
    [503, 'down', 'status 503'],
  ] as const)('a list answered %i is "%s", and is tried again', async (status, state, detail) => {
    const states: { state: string; detail: string | null }[] = [];
    server.faults.list.push(
      (_request, answer) => answer.writeHead(status).end(),
      (_request, answer) => {
        states.push(reflector.status);
        faults.serverError(_request, answer);
      },
    );
    start();
    await settled();
    expect(states[0]).toMatchObject({ state, detail });
    expect(reflector.status).toMatchObject({ state: 'ok', detail: null });
  });

  it('ends promptly when told to, in the middle of a watch', async () => {
    start();
    await settled();
    stop.abort();
    await running;
    expect(server.count('watch')).toBe(1);
  });
});
