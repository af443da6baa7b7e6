import type { ReportEnvelope } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeApi, failed } from '../testing/fake-api.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { memoryDisk } from '../testing/memory-disk.ts';
import { countedStreams, smallReport } from '../testing/reports.ts';
import { Sender } from './sender.ts';
import { Spool } from './spool.ts';

const BOOT = 'boot-1';

/** A collector whose disk can be filled, and that can be killed: what is on its disk then stays. */
function host() {
  const clock = fakeClock();
  const api = fakeApi(() => clock.wall());
  const disk = memoryDisk();
  const newStream = countedStreams();
  const start = () => {
    const spool = new Spool({ disk, newStream });
    const sender = new Sender(
      {
        api,
        spool,
        clock,
        random: () => 0.5,
        log: () => undefined,
        bootId: BOOT,
        credentials: { server_id: 'server-1', agent_token: 'token-1' },
        keep: () => undefined,
        reload: () => null,
        enrolAsClone: async () => null,
        onInterval: () => undefined,
      },
      60,
    );
    return { spool, sender };
  };
  let running = start();
  return {
    api,
    fill: (isFull: boolean) => Object.assign(disk.fault, { freeBytes: isFull ? 0 : 1e12, writes: isFull }),
    take: async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        clock.advance(60);
        await running.spool.append(smallReport(clock.wall(), clock.up()), BOOT);
      }
    },
    /** As many requests, each as soon as it is due. */
    send: async (requests: number) => {
      for (let index = 0; index < requests; index += 1) {
        clock.advance(Math.max(0, running.sender.dueAt - clock.up()));
        await running.sender.step();
      }
    },
    kill: () => (running = start()),
  };
}

const seqsSent = ({ api }: ReturnType<typeof host>): [string, number[]][] =>
  api.requests.map(({ body }) => {
    const { stream_id: stream, reports } = body as ReportEnvelope;
    return [stream, reports.map(({ seq }) => seq)];
  });

/** Numbers of a stream that neither arrived nor were declared, below one that did. */
function unexplained({ api }: ReturnType<typeof host>): string[] {
  const known = new Map<string, Set<number>>();
  for (const { body } of api.requests) {
    const { stream_id: stream, dropped } = body as ReportEnvelope;
    const seqs = known.get(stream) ?? new Set();
    known.set(stream, seqs);
    for (const { from, to } of dropped) for (let seq = from; seq <= to; seq += 1) seqs.add(seq);
  }
  for (const key of api.stored.keys()) known.get(key.split('/')[0] ?? '')?.add(Number(key.split('/')[1]));
  return [...known].flatMap(([stream, seqs]) =>
    Array.from({ length: Math.max(0, ...seqs) }, (_, index) => index + 1)
      .filter((seq) => !seqs.has(seq))
      .map((seq) => `${stream}/${String(seq)}`),
  );
}

describe('Sender with a full disk', () => {
  it('sends what only the memory holds in the order of its numbers', async () => {
    const one = host();
    one.fill(true);
    await one.take(62);
    await one.send(2);
    const held = Array.from({ length: 60 }, (_, index) => index + 3);
    expect(seqsSent(one)).toEqual([[expect.any(String), held]]);
    expect(one.api.dropped).toEqual([{ from: 1, to: 2, n: 2, why: 'spool_full' }]);
  });

  it('sends what only the memory holds before the backlog on disk, but after the newest', async () => {
    const one = host();
    await one.take(3);
    one.fill(true);
    await one.take(3);
    one.fill(false);
    await one.take(1);
    await one.send(3);
    const [disk, memory] = [seqsSent(one)[0]?.[0], seqsSent(one)[1]?.[0]];
    expect(disk).not.toBe(memory);
    expect(seqsSent(one)).toEqual([
      [disk, [4]],
      [memory, [1, 2, 3]],
      [disk, [3, 2, 1]],
    ]);
  });

  it('leaves no number without a reason when it is killed between two requests', async () => {
    const one = host();
    one.fill(true);
    await one.take(5);
    await one.send(1);
    one.kill();
    expect([one.api.stored.size > 0, unexplained(one)]).toEqual([true, []]);
  });

  it('leaves no number without a reason, whenever the disk fills and the collector is killed', async () => {
    const steps = fc.oneof(
      fc.record({ do: fc.constant('take' as const), count: fc.integer({ min: 1, max: 70 }) }),
      fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ do: fc.constant('lose' as const), count: fc.integer({ min: 1, max: 2 }) }),
      fc.record({ do: fc.constant('away' as const), count: fc.constant(1) }),
      fc.record({ do: fc.constant('kill' as const), count: fc.constant(1) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 12 }), fc.array(fc.boolean()), async (plan, full) => {
        const one = host();
        for (const [index, { do: action, count }] of plan.entries()) {
          one.fill(full[index] ?? true);
          if (action === 'take') await one.take(count);
          if (action === 'send') await one.send(count);
          if (action === 'lose') one.api.script.push(...Array.from({ length: count }, () => 'lost' as const));
          if (action === 'away') one.api.script.push(failed('ECONNREFUSED'));
          if (action === 'kill') one.kill();
        }
        one.fill(false);
        one.api.script.length = 0;
        await one.take(1);
        await one.send(20);
        expect(unexplained(one)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
