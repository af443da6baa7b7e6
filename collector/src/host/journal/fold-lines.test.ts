import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventPart } from '@plimsoll/contract/wire/report';
import { readCounted } from '@plimsoll/contract/rules/lines';
import { eventOf, foldLines } from './fold-lines.ts';
import { parseJournal, type JournalEntry } from './journal-entries.ts';

const MINUTE = 60_000;
const START = Math.floor(Date.UTC(2026, 10, 20, 3) / MINUTE) * MINUTE;
const hash = async (text: string): Promise<string> => createHash('sha256').update(text).digest('hex');
const entry = (given: Partial<JournalEntry> = {}): JournalEntry => ({
  at: START,
  up: 5000,
  priority: 3,
  isKernel: false,
  unit: 'web.service',
  text: 'connection refused',
  ...given,
});
const said = (entries: readonly JournalEntry[]) =>
  foldLines(entries).lines.map(({ kind, subject, text, count }) => [kind, subject, text, count]);

describe('fold', () => {
  it('is one line for those of a unit that differ in numbers only', () => {
    const lines = [
      entry({ text: 'worker 12 lost 10.0.0.7:5432 after 31 ms' }),
      entry({ text: 'worker 9 lost 10.0.0.8:5432 after 7 ms', at: START + 1 }),
      entry({ text: 'request 5f0c9a1e-8d2b-4f5e-9a55-0c1d2e3f4a5b failed', at: START + 2 }),
      entry({ text: 'request 77aa01bc-1111-4f5e-9a55-ffffffffffff failed', at: START + 3 }),
      entry({ text: 'worker 1 lost 10.0.0.7:5432 after 31 ms', at: START + 4, unit: 'api.service' }),
    ];
    expect(said(lines)).toEqual([
      ['journal_error', 'web.service', 'worker 12 lost 10.0.0.7:5432 after 31 ms', 2],
      ['journal_error', 'web.service', 'request 5f0c9a1e-8d2b-4f5e-9a55-0c1d2e3f4a5b failed', 2],
      ['journal_error', 'api.service', 'worker 1 lost 10.0.0.7:5432 after 31 ms', 1],
    ]);
  });

  it('keeps words apart that look like numbers in hex', () => {
    expect(said([entry({ text: 'effaced deadbeef' }), entry({ text: 'effaced facade' })])).toHaveLength(2);
  });

  it('keeps lines of two disks and of two minutes apart', () => {
    const failed = (disk: string, at = START) =>
      entry({ isKernel: true, at, text: `I/O error, dev ${disk}, sector 80 op 0x0:(READ) flags 0x0` });
    expect(said([failed('sda1'), failed('sda2'), failed('sda1', START + 1), failed('sda1', START + MINUTE)])).toEqual([
      ['io_error', 'sda1', expect.any(String), 2],
      ['io_error', 'sda2', expect.any(String), 1],
      ['io_error', 'sda1', expect.any(String), 1],
    ]);
  });

  it('takes an event of the kernel whatever its priority is, and of the other lines errors only', () => {
    const kernel = (text: string, priority: number) => entry({ isKernel: true, unit: 'kernel', text, priority });
    expect(
      said([
        kernel('igc 0000:03:00.0 enp3s0: NIC Link is Down', 6),
        kernel('device eth0 entered promiscuous mode', 6),
        kernel('watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [kworker:1]', 0),
        entry({ priority: 4 }),
        entry({ text: 'Out of memory: Killed process 1 (mysqld) total-vm:1kB', priority: 6 }),
      ]),
    ).toEqual([
      ['link_down', 'enp3s0', 'igc 0000:03:00.0 enp3s0: NIC Link is Down', 1],
      ['journal_error', 'kernel', 'watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [kworker:1]', 1],
    ]);
  });

  it('keeps 20 distinct lines of a minute, the most urgent and frequent ones, and all events of the kernel beside them', () => {
    const words = Array.from({ length: 30 }, (_, index) => String.fromCharCode(97 + (index % 26)).repeat(1 + index));
    const errors = words.map((text) => entry({ text }));
    const urgent = entry({ text: 'disk on fire', priority: 1 });
    const often = [entry({ text: 'zzz often' }), entry({ text: 'zzz often' })];
    const kill = entry({ isKernel: true, text: 'Out of memory: Killed process 1 (mysqld) total-vm:1kB, anon-rss:1kB' });
    const { lines, leftOut } = foldLines([...errors, ...often, urgent, kill]);
    expect([lines.length, leftOut]).toEqual([21, 12]);
    const texts = lines.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['disk on fire', 'zzz often', kill.text]));
  });
});

describe('event of a line', () => {
  const eventsOf = async (entries: readonly JournalEntry[]) =>
    Promise.all(foldLines(entries).lines.map((line) => eventOf(line, hash)));

  it('has the unit, the count and the text without its secrets', async () => {
    const text = 'login as admin failed: password=hunter2hunter2';
    const [event] = await eventsOf([entry({ text }), entry({ text })]);
    expect(event).toEqual({
      id: expect.stringMatching(/^line-[\da-f]{40}$/),
      event_type: 'journal_error',
      service_name: 'web.service',
      process_name: null,
      message: expect.stringMatching(/^2 × login as admin failed: password=\[redacted\]/),
      severity: 'error',
      ts: START / 1000,
    });
    expect(eventPart.safeParse(event).success).toBe(true);
  });

  it('names the process of an event of the kernel', async () => {
    const [event] = await eventsOf([
      entry({ isKernel: true, text: 'Out of memory: Killed process 1 (mysqld) total-vm:1kB, anon-rss:1kB' }),
    ]);
    expect(event).toMatchObject({
      event_type: 'oom_kill',
      process_name: 'mysqld',
      service_name: null,
      severity: 'critical',
    });
  });

  it('has the same id when its minute is read again, and another in the next minute', async () => {
    const lines = [entry({ text: 'lost 1' }), entry({ text: 'lost 2', at: START + 5 })];
    const again = await eventsOf(lines.toReversed());
    expect(again).toEqual(await eventsOf(lines));
    const [later] = await eventsOf([entry({ text: 'lost 1', at: START + MINUTE })]);
    expect(later?.id).not.toBe(again[0]?.id);
  });

  it('takes no count from a line that begins like one', async () => {
    const [event] = await eventsOf([entry({ text: '900 × lies' })]);
    expect(readCounted(event?.message ?? '')).toEqual({ count: 1, text: '900 × lies' });
  });
});

describe('any bytes', () => {
  const journal = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .record({
        __REALTIME_TIMESTAMP: fc.oneof(fc.constant(String(START * 1000)), fc.string(), fc.integer()),
        __MONOTONIC_TIMESTAMP: fc.oneof(fc.string(), fc.integer()),
        PRIORITY: fc.oneof(fc.constantFrom('0', '3', '7'), fc.string()),
        _TRANSPORT: fc.constantFrom('kernel', 'stdout'),
        _SYSTEMD_UNIT: fc.oneof(fc.string({ unit: 'binary' }), fc.constant(null)),
        MESSAGE: fc.oneof(
          fc.string({ unit: 'binary', maxLength: 5000 }),
          fc.array(fc.integer({ min: -1, max: 300 })),
          fc.anything(),
          fc.constant(null),
        ),
      })
      .map((fields) => JSON.stringify(fields)),
  );

  it('give bounded events that the contract accepts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(journal, { maxLength: 60 }), async (lines) => {
        const folded = foldLines(parseJournal(lines.join('\n')));
        expect(folded.lines.length).toBeLessThanOrEqual(40);
        for (const line of folded.lines) {
          const event = await eventOf(line, hash);
          expect(eventPart.safeParse(event).success).toBe(true);
          expect(Buffer.byteLength(event.message)).toBeLessThanOrEqual(420);
          expect(event.message).not.toMatch(/\p{Cc}/u);
          expect(event.message.isWellFormed()).toBe(true);
          expect(Buffer.byteLength(event.service_name ?? '')).toBeLessThanOrEqual(128);
        }
      }),
    );
  });
});
