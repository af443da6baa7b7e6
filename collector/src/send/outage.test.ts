import type { ReportEnvelope } from '@plimsoll/contract/wire/report';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diskAt } from '../runtime/disk.ts';
import { fakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { countedStreams, fullReport, smallReport } from '../testing/reports.ts';
import { apiAt } from './http.ts';
import { Sender } from './sender.ts';
import { type BootMoment, enforceBounds } from './spool-bounds.ts';
import { Spool, SPOOL_LIMITS } from './spool.ts';

/** A real HTTP server that speaks the contract; `up` false refuses with 500. */
async function contractServer(
  clock: FakeClock,
): Promise<{ url: string; envelopes: ReportEnvelope[]; state: { up: boolean } }> {
  const envelopes: ReportEnvelope[] = [];
  const state = { up: true };
  const seqsOf = new Map<string, Set<number>>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (!state.up) {
        response.writeHead(500).end();
        return;
      }
      const envelope = JSON.parse(gunzipSync(Buffer.concat(parts)).toString()) as ReportEnvelope;
      envelopes.push(envelope);
      const seqs = seqsOf.get(envelope.stream_id) ?? new Set();
      seqsOf.set(envelope.stream_id, seqs);
      for (const { seq } of envelope.reports) seqs.add(seq);
      const ack = { upto: 0, also: [...seqs] };
      const next = { interval: 60, delay: 0 };
      response.end(JSON.stringify({ ack, rejected: [], server_time: clock.wall(), next, config_rev: 0 }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, envelopes, state };
}

function hostOf(url: string, clock: FakeClock, directory: string, boot: string, newStream = countedStreams()) {
  const spool = new Spool({ disk: diskAt(directory), newStream });
  const options = {
    api: apiAt(url, (address, init) => fetch(address, init), 'test'),
    spool,
    clock,
    random: () => 0.5,
    log: () => undefined,
    bootId: boot,
    credentials: { server_id: '00000000-0000-4000-8000-000000000001', agent_token: 'token' },
    keep: () => undefined,
    reload: () => null,
    enrolAsClone: async () => null,
    onInterval: () => undefined,
  };
  return { spool, sender: new Sender(options, 60) };
}

function directoryFor(): string {
  const directory = mkdtempSync(join(tmpdir(), 'outage-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

async function drain(sender: Sender, clock: FakeClock): Promise<void> {
  while ((await sender.step()) === 'wait') clock.advance(Math.max(0, sender.dueAt - clock.up()));
}

const diskBytes = (directory: string): number =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);

/** Thousands of fdatasync: a second on an idle disk, a minute on a busy one. */
const SLOW_DISK = { timeout: 120_000 };

const momentOf = (clock: FakeClock): BootMoment => ({ ts: clock.wall(), up: clock.up(), boot: 'boot-1' });

describe('an outage of a day', SLOW_DISK, () => {
  it('loses nothing: 1,440 reports arrive once each, the newest first', async () => {
    const clock = fakeClock();
    const { url, envelopes, state } = await contractServer(clock);
    const directory = directoryFor();
    const { spool, sender } = hostOf(url, clock, directory, 'boot-1');
    state.up = false;
    const first = clock.wall() + 60;
    for (let minute = 0; minute < 1440; minute += 1) {
      clock.advance(60);
      // The wall clock is set back by an hour at noon: what tells the time is the uptime.
      if (minute === 720) clock.jumpWall(-3600);
      await spool.append(smallReport(clock.wall(), clock.up()), 'boot-1');
      await enforceBounds(spool, momentOf(clock));
      if (minute % 60 === 0) await sender.step();
    }
    expect(spool.entries).toHaveLength(1440);
    state.up = true;
    clock.advance(Math.max(0, sender.dueAt - clock.up()));
    await drain(sender, clock);
    const delivered = envelopes.flatMap(({ reports }) => reports);
    expect(envelopes[0]?.reports.map(({ up }) => up)).toEqual([5000 + 1440 * 60]);
    expect(delivered.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 1440 }, (_, i) => i + 1),
    );
    expect(Math.max(...delivered.map(({ up }) => up))).toBe(5000 + 1440 * 60);
    expect(envelopes.every(({ reports }) => reports.length <= 60)).toBe(true);
    expect(first).toBe(delivered.find(({ seq }) => seq === 1)?.ts);
    expect(spool.entries).toEqual([]);
  });

  it('keeps full reports within 16 MiB on disk, all 1,440 of them', async () => {
    const clock = fakeClock();
    const directory = directoryFor();
    const { spool } = hostOf('http://127.0.0.1:9', clock, directory, 'boot-1');
    for (let minute = 0; minute < 1440; minute += 1) {
      clock.advance(60);
      await spool.append(fullReport(clock.wall(), clock.up()), 'boot-1');
      await enforceBounds(spool, momentOf(clock));
    }
    expect(spool.entries).toHaveLength(1440);
    expect(diskBytes(directory)).toBeLessThan(SPOOL_LIMITS.bytes);
  });

  it('survives a reboot in the middle: each report says which boot its uptime counts from', async () => {
    const clock = fakeClock();
    const { url, envelopes } = await contractServer(clock);
    const directory = directoryFor();
    const streams = countedStreams();
    const before = hostOf(url, clock, directory, 'boot-1', streams);
    for (let minute = 0; minute < 5; minute += 1) {
      clock.advance(60);
      await before.spool.append(smallReport(clock.wall(), clock.up()), 'boot-1');
    }
    clock.reboot(300);
    const after = hostOf(url, clock, directory, 'boot-2', streams);
    await after.spool.append(smallReport(clock.wall(), clock.up()), 'boot-2');
    await drain(after.sender, clock);
    expect(envelopes.map(({ boot_id, reports }) => [boot_id, reports.map((one) => one.boot_id)])).toEqual([
      ['boot-2', ['boot-2']],
      ['boot-2', Array.from({ length: 5 }, () => 'boot-1')],
    ]);
  });
});

describe('enforceBounds', SLOW_DISK, () => {
  it('thins the oldest first, keeps events longest, and declares every number it gives up', async () => {
    const clock = fakeClock();
    const spool = new Spool({ disk: diskAt(directoryFor()), newStream: countedStreams(), segmentBytes: 20_000 });
    for (let minute = 0; minute < 100; minute += 1) {
      clock.advance(60);
      await spool.append(fullReport(clock.wall(), clock.up()), 'boot-1');
      await enforceBounds(spool, momentOf(clock), 60_000);
    }
    expect(spool.diskBytes).toBeLessThan(60_000 + 40_000);
    const loaded = (await spool.load(spool.entries)).map(({ report }) => report);
    expect(loaded.at(-1)?.processes).toHaveLength(100);
    expect(loaded[0]?.processes).toBeUndefined();
    expect(loaded.every(({ events }) => events?.length === 1)).toBe(true);
    const [stream = ''] = spool.dropped.streams();
    const given = new Set(spool.entries.map(({ seq }) => seq));
    for (const { from, to } of spool.dropped.of(stream)) for (let seq = from; seq <= to; seq += 1) given.add(seq);
    const newest = Math.max(...given);
    expect(given.size).toBe(newest);
  });

  it('gives up what is older than a day', async () => {
    const clock = fakeClock();
    const spool = new Spool({ disk: diskAt(directoryFor()), newStream: countedStreams() });
    await spool.append(smallReport(clock.wall(), clock.up()), 'boot-1');
    await enforceBounds(spool, { ts: clock.wall() + 24 * 3600 + 1, up: 10, boot: 'boot-2' });
    expect(spool.entries).toEqual([]);
    expect(spool.dropped.of(spool.dropped.streams()[0] ?? '')).toEqual([{ from: 1, to: 1, n: 1, why: 'spool_full' }]);
  });
});
