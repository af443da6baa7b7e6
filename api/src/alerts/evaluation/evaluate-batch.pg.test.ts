import { beforeEach, expect, it } from 'vitest';
import type { Report } from '@plimsoll/contract/wire/report';
import type { Agent } from '../../servers/types.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { testStorage } from '../../testing/postgres.ts';
import { DEFAULT_LINES } from '../load-lines.ts';
import { DEFAULT_RULES } from '../rules/rules.ts';
import type { AlertChange } from '../types.ts';
import { watch } from './evaluate-batch.ts';

const db = testStorage();
const MINUTE = 60_000;
const START = Date.parse('2026-02-01T12:00:00Z');

let agent: Agent;
let seq: number;

beforeEach(async () => {
  await db.sql('TRUNCATE server CASCADE');
  agent = await enrolledAgent(db.storage(), await newAccount(db.storage()), 'web-1');
  seq = 0;
});

const FULL: Partial<Report> = {
  filesystems: ['/', '/srv'].map((mount) => ({
    mount,
    device: 'd',
    type: 'ext4',
    size_bytes: 100,
    used_bytes: 99,
    available_bytes: 1,
    inodes_total: 100,
    inodes_used: 99,
  })),
};
/** Stores and evaluates one batch of so many reports, a minute apart. */
const report = async (count: number, parts = FULL): Promise<AlertChange[]> => {
  const items = Array.from({ length: count }, () => itemOf((seq += 1), START + seq * MINUTE, parts));
  const storage = db.storage();
  const batch = batchOf(agent, items, { receivedAt: START + seq * MINUTE });
  const result = await storage.reports.accept(batch);
  if (!('storedSeqs' in result)) throw new Error('the batch was refused');
  return watch(storage.alertStates, batch, result, { thresholds: DEFAULT_RULES, lines: DEFAULT_LINES });
};
const version = async (): Promise<unknown> => (await db.sql('SELECT version FROM alert_track'))[0]?.['version'];
const saidOf = (changes: readonly AlertChange[]): string[] =>
  changes.map(({ kind, rule, subject }) => `${kind} ${rule} ${subject}`);
const both = (kind: string): string[] =>
  ['default-disk', 'default-inodes'].flatMap((rule) => ['/', '/srv'].map((mount) => `${kind} ${rule} ${mount}`));

it('of one batch each alert has one change of its value, however many reports repeat it', async () => {
  await report(5);
  expect(saidOf(await report(5))).toEqual(both('updated'));
});

it('a report that moves no track saves none', async () => {
  await report(2);
  const before = await version();
  await report(1);
  expect([before, await version()]).toEqual(['1', '1']);
  await report(1, { filesystems: [] });
  expect(await version()).toBe('2');
});
