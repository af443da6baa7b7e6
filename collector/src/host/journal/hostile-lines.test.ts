import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { HOSTILE_LINES } from '@plimsoll/contract/testing/hostile-lines';
import { readCounted } from '@plimsoll/contract/rules/lines';
import { eventPart } from '@plimsoll/contract/wire/report';
import { redactReport } from '../../redact-report.ts';
import { eventOf, foldLines } from './fold-lines.ts';
import { parseJournal } from './journal-entries.ts';

const hash = async (text: string): Promise<string> => createHash('sha256').update(text).digest('hex');
const printed = (message: string, unit = 'web.service') =>
  JSON.stringify({
    __REALTIME_TIMESTAMP: '1763606400000000',
    PRIORITY: '3',
    _TRANSPORT: 'stdout',
    _SYSTEMD_UNIT: unit,
    MESSAGE: message,
  });

it('has 60 different lines', () => expect(new Set(HOSTILE_LINES).size).toBe(60));

it.each(HOSTILE_LINES.map((line) => [line.slice(0, 60), line]))(
  'sends one plain, bounded line of %j',
  async (_start, line) => {
    const { lines } = foldLines(parseJournal(printed(line)));
    const events = await Promise.all(lines.map((one) => eventOf(one, hash)));
    expect(events).toHaveLength(1);
    const { events: sent } = redactReport({ events });
    const [event] = sent ?? [];
    expect(eventPart.safeParse(event).success).toBe(true);
    const { count, text } = readCounted(event?.message ?? '');
    expect(count).toBe(1);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(400);
    expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    expect(text.isWellFormed()).toBe(true);
  },
);

it.each(HOSTILE_LINES.map((line) => [line.slice(0, 60), line]))(
  'names no unit longer than its limit of %j',
  async (_start, line) => {
    const [folded] = foldLines(parseJournal(printed('boom', line))).lines;
    expect(folded).toBeDefined();
    if (folded === undefined) return;
    const { service_name: unit } = await eventOf(folded, hash);
    expect(Buffer.byteLength(unit ?? '')).toBeLessThanOrEqual(128);
    expect(unit ?? '').not.toMatch(/\p{Cc}/u);
  },
);
