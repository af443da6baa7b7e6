import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAgent, secondsToPhase } from './agent.ts';
import { Sender } from './send/sender.ts';
import { Spool } from './send/spool.ts';
import type { Source } from './source.ts';
import { fakeApi, status } from './testing/fake-api.ts';
import { fakeClock } from './testing/fake-clock.ts';
import { memoryDisk } from './testing/memory-disk.ts';
import { countedStreams } from './testing/reports.ts';

describe('secondsToPhase', () => {
  const wall = fc.double({ min: 1e9, max: 2e9, noNaN: true });
  const interval = fc.integer({ min: 1, max: 3600 });

  it('is the same moment of every interval for a host', () => {
    fc.assert(
      fc.property(wall, fc.uuid(), interval, (now, id, seconds) => {
        const due = now + secondsToPhase(now, id, seconds);
        const next = due + secondsToPhase(due, id, seconds);
        expect(next - due).toBeCloseTo(seconds, 3);
        expect(due - now).toBeGreaterThan(0);
        expect(due - now).toBeLessThanOrEqual(seconds * 1.25);
      }),
    );
  });

  it('spreads hosts over the interval', () => {
    const ids = fc.sample(fc.uuid(), { numRuns: 600, seed: 7 });
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const id of ids) tenths[Math.floor(((secondsToPhase(1e9, id, 60) % 60) / 60) * 10)]! += 1;
    expect(Math.min(...tenths)).toBeGreaterThan(30);
  });
});

describe('runAgent', () => {
  function rig() {
    const clock = fakeClock();
    const api = fakeApi(() => clock.wall());
    const spool = new Spool({ disk: memoryDisk(), newStream: countedStreams() });
    const stop = new AbortController();
    const sender = new Sender(
      {
        api,
        spool,
        clock,
        random: () => 0.5,
        log: () => undefined,
        bootId: 'boot-1',
        credentials: { server_id: 'server-1', agent_token: 'token' },
        keep: () => undefined,
        reload: () => null,
        enrolAsClone: async () => null,
        onInterval: (seconds) => {
          sender.intervalSeconds = seconds;
        },
      },
      60,
    );
    let reads = 0;
    const source: Source = {
      name: 'load',
      read: async () => {
        reads += 1;
        if (reads === 5) stop.abort();
        return { part: { load: { one: reads, five: 0, fifteen: 0 } } };
      },
    };
    // Real loops sleep beside each other: give way once for every sleep, or one would starve the other.
    const sleep: typeof clock.sleep = async (seconds, signal) => {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (seconds < 600) await clock.sleep(seconds, signal);
      else await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    };
    const agent = {
      sources: [source],
      spool,
      sender,
      clock: { ...clock, sleep },
      log: () => undefined,
      bootId: 'boot-1',
      version: '0',
      milliseconds: () => 0,
    };
    return { agent, api, spool, stop };
  }

  it('reports a second after the start and then once an interval, until it is stopped', async () => {
    const { agent, api, spool, stop } = rig();
    expect(await runAgent(agent, stop.signal)).toBe('stopped');
    const sent = [...api.stored.values(), ...(await spool.load(spool.entries)).map(({ report }) => report)];
    expect(sent.map(({ load }) => load?.one)).toEqual([2, 3, 4, 5]);
    expect(sent[0]?.window_seconds).toBeCloseTo(1, 6);
    expect(sent[2]?.window_seconds).toBeCloseTo(60, 6);
    expect(sent[0]?.agent).toMatchObject({ version: '0', retries: 0, sources: { load: { ok: true } } });
  });

  it('keeps to another interval from the first answer on', async () => {
    const { agent, api, spool, stop } = rig();
    api.answer = { next: { interval: 5, delay: 0 } };
    await runAgent(agent, stop.signal);
    const sent = [...api.stored.values(), ...(await spool.load(spool.entries)).map(({ report }) => report)];
    const windows = sent.map((report) => report.window_seconds);
    expect(windows).toHaveLength(4);
    // The second reaches from the first to the host's own moment.
    expect(windows[1]).toBeGreaterThan(1);
    expect(windows[1]).toBeLessThan(6.25);
    expect(windows[2]).toBeCloseTo(5, 6);
  });

  it('ends when the server was deleted', async () => {
    const { agent, api, spool, stop } = rig();
    api.always = status(410, { code: 'server_deleted' });
    expect(await runAgent(agent, stop.signal)).toBe('gone');
    expect(spool.entries.length).toBeLessThanOrEqual(1);
  });
});
