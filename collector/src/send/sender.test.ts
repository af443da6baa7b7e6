import type { ReportEnvelope } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeApi, type FakeApi, failed, status } from '../testing/fake-api.ts';
import { fakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { memoryDisk } from '../testing/memory-disk.ts';
import { countedStreams, smallReport } from '../testing/reports.ts';
import type { Credentials } from './credentials.ts';
import { Sender } from './sender.ts';
import { Spool } from './spool.ts';

const BOOT = 'boot-1';
interface Rig {
  api: FakeApi;
  clock: FakeClock;
  spool: Spool;
  sender: Sender;
  kept: Credentials[];
  lines: string[];
  intervals: number[];
  clone: { credentials: Credentials | null };
  disk: { credentials: Credentials | null };
}

function rig(random: () => number = () => 0.5): Rig {
  const clock = fakeClock();
  const api = fakeApi(() => clock.wall());
  const spool = new Spool({ disk: memoryDisk(), newStream: countedStreams() });
  const [kept, lines, intervals]: [Credentials[], string[], number[]] = [[], [], []];
  const clone = { credentials: null };
  const disk: Rig['disk'] = { credentials: null };
  const sender = new Sender(
    {
      api,
      spool,
      clock,
      random,
      log: (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
      bootId: BOOT,
      credentials: { server_id: 'server-1', agent_token: 'token-1' },
      keep: (credentials) => kept.push(credentials),
      reload: () => disk.credentials,
      enrolAsClone: async () => clone.credentials,
      onInterval: (seconds) => intervals.push(seconds),
    },
    60,
  );
  return { api, clock, spool, sender, kept, lines, intervals, clone, disk };
}

async function take({ spool, clock }: Rig, count = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    clock.advance(60);
    await spool.append(smallReport(clock.wall(), clock.up()), BOOT);
  }
}
async function drain({ sender, clock }: Rig, most = 500): Promise<number> {
  for (let steps = 1; steps <= most; steps += 1) {
    const outcome = await sender.step();
    if (outcome !== 'wait') return steps;
    clock.advance(Math.max(0, sender.dueAt - clock.up()));
  }
  throw new Error('the sender does not come to an end');
}
const bodies = ({ api }: Rig): ReportEnvelope[] => api.requests.map(({ body }) => body as ReportEnvelope);
const seqsSent = (r: Rig): number[][] => bodies(r).map(({ reports }) => reports.map(({ seq }) => seq));

describe('Sender', () => {
  it('sends one report with the head the protocol asks for', async () => {
    const r = rig();
    await take(r);
    expect(await r.sender.step()).toBe('done');
    const { reports, ...head } = bodies(r)[0]!;
    expect(head).toEqual({
      v: 1,
      server_id: 'server-1',
      stream_id: r.api.stored.keys().next().value?.split('/')[0],
      boot_id: BOOT,
      sent_at: r.clock.wall(),
      up_now: r.clock.up(),
      dropped: [],
    });
    expect(reports[0]).toMatchObject({ seq: 1, boot_id: BOOT });
    expect(r.api.requests[0]).toMatchObject({ path: '/api/agent/v1/reports', token: 'token-1' });
    expect(r.spool.entries).toEqual([]);
  });

  it('sends nothing when there is nothing', async () => {
    const r = rig();
    expect(await r.sender.step()).toBe('done');
    expect(r.api.requests).toEqual([]);
  });

  it('sends the newest alone, then the backlog newest to oldest in batches of 60 with a gap of 1–5 s', async () => {
    const r = rig();
    await take(r, 130);
    const started = r.clock.up();
    await drain(r);
    expect(seqsSent(r).map((seqs) => [seqs.length, seqs[0], seqs.at(-1)])).toEqual([
      [1, 130, 130],
      [60, 129, 70],
      [60, 69, 10],
      [9, 9, 1],
    ]);
    expect(r.clock.up() - started).toBe(9);
  });

  it('sends the backlog also when a new report comes before every request', async () => {
    const r = rig();
    await take(r, 100);
    for (let step = 0; step < 4; step += 1) {
      await take(r);
      r.clock.advance(Math.max(0, r.sender.dueAt - r.clock.up()));
      await r.sender.step();
    }
    expect(seqsSent(r).map((seqs) => [seqs.length, seqs[0]])).toEqual([
      [1, 101],
      [60, 102],
      [1, 103],
      [42, 104],
    ]);
    expect(r.spool.entries).toEqual([]);
  });

  it('drops what the server refuses for good, and declares it once', async () => {
    const r = rig();
    await take(r, 1);
    r.api.answer = { rejected: [{ seq: 1, index: 0, code: 'invalid_item', detail: '' }], ack: { upto: 0, also: [] } };
    expect(await r.sender.step()).toBe('done');
    expect(r.spool.entries).toEqual([]);
    r.api.answer = {};
    await take(r, 2);
    await drain(r);
    expect(bodies(r).map(({ dropped }) => dropped)).toEqual([
      [],
      [{ from: 1, to: 1, n: 1, why: 'rejected:invalid_item' }],
      [],
    ]);
  });

  it('keeps since when and why its reports are refused, until one is accepted', async () => {
    const r = rig();
    const detail = 'up: Invalid input';
    const refuse = (seq: number): void => {
      r.api.answer = { rejected: [{ seq, index: 0, code: 'invalid_item', detail }], ack: { upto: seq, also: [] } };
    };
    await take(r);
    refuse(1);
    await r.sender.step();
    const since = r.clock.wall();
    await take(r);
    refuse(2);
    await r.sender.step();
    expect(r.sender.refusal).toEqual({ since, reason: detail });
    expect(r.sender.acceptedAt).toBeNull();
    r.api.answer = {};
    await take(r);
    await drain(r);
    expect(r.sender.refusal).toBeNull();
    expect(r.sender.acceptedAt).toBe(r.clock.wall());
  });

  it('counts a request that is refused alone as a refusal, not one that is halved', async () => {
    const r = rig();
    const refused = status(400, { code: 'invalid_parameter', detail: 'boot_id: too long' });
    await take(r, 3);
    r.api.script = [status(200, null), refused];
    await r.sender.step();
    r.clock.advance(Math.max(0, r.sender.dueAt - r.clock.up()));
    await r.sender.step();
    expect(r.sender.refusal).toBeNull();
    r.api.always = refused;
    for (let step = 0; step < 20 && r.spool.entries.length > 0; step += 1) {
      r.clock.advance(Math.max(0, r.sender.dueAt - r.clock.up()));
      await r.sender.step();
    }
    expect(r.sender.refusal?.reason).toBe('boot_id: too long');
  });

  it('declares what was dropped also when there is no report to send', async () => {
    const r = rig();
    await take(r);
    r.spool.drop(r.spool.entries[0]!, 'spool_full');
    expect(await r.sender.step()).toBe('done');
    expect(r.api.dropped).toEqual([{ from: 1, to: 1, n: 1, why: 'spool_full' }]);
    expect(r.spool.dropped.streams()).toEqual([]);
  });

  it('keeps the declaration of what was dropped while the request was under way', async () => {
    const r = rig();
    await take(r, 4);
    const [first, second, third] = r.spool.entries;
    r.spool.drop(first!, 'spool_full');
    const post = r.api.post.bind(r.api);
    r.api.post = async (path, body, token) => {
      r.spool.drop(second!, 'spool_full');
      r.spool.drop(third!, 'spool_full');
      r.api.post = post;
      return post(path, body, token);
    };
    await drain(r);
    const { stream } = first!;
    expect(r.api.dropped).toEqual([{ from: 1, to: 1, n: 1, why: 'spool_full' }]);
    expect(r.spool.dropped.of(stream)).toEqual([{ from: 2, to: 3, n: 2, why: 'spool_full' }]);
  });

  it('declares what an earlier stream lost, too', async () => {
    const r = rig();
    await take(r);
    r.spool.dropped.add('e'.repeat(32), 7, 9, 'spool_damaged');
    await drain(r);
    expect(bodies(r).map(({ stream_id, reports, dropped }) => [stream_id[0], reports.length, dropped.length])).toEqual([
      ['0', 1, 0],
      ['e', 0, 1],
    ]);
    expect(r.spool.dropped.streams()).toEqual([]);
  });

  it('gives up a declaration the server cannot read rather than the report beside it', async () => {
    const r = rig();
    await take(r, 2);
    r.spool.drop(r.spool.entries[0]!, 'spool_full');
    r.api.script = [status(400, { code: 'invalid_parameter' })];
    await drain(r);
    expect([...r.api.stored.values()].map(({ seq }) => seq)).toEqual([2]);
    expect(r.api.dropped).toEqual([]);
  });

  it('waits an interval when the server leaves what was sent unsettled', async () => {
    const r = rig();
    await take(r);
    r.api.answer = { ack: { upto: 0, also: [] } };
    expect(await r.sender.step()).toBe('wait');
    expect(r.sender.dueAt - r.clock.up()).toBe(60);
  });

  it.each([
    ['400', status(400, { code: 'invalid_parameter' })],
    ['413', status(413, { code: 'too_large' })],
  ])('halves the batch on %s until one is left, drops that one and sends the rest', async (_name, refusal) => {
    const r = rig();
    await take(r, 4);
    const post = r.api.post.bind(r.api);
    r.api.post = async (path, body, token) => {
      const bad = (JSON.parse(body as string) as ReportEnvelope).reports.some(({ seq }) => seq === 2);
      if (!bad) return post(path, body, token);
      r.api.requests.push({ path, body, token });
      return refusal;
    };
    await drain(r);
    expect([...r.api.stored.values()].map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual([1, 3, 4]);
    expect(r.api.dropped).toEqual([{ from: 2, to: 2, n: 1, why: expect.stringMatching(/^rejected:/) }]);
  });

  it('says since when its token is refused, and no more once it is accepted', async () => {
    const r = rig();
    const { api, sender, clock } = r;
    await take(r);
    const refusedAt = clock.wall();
    api.always = status(401, { code: 'agent_token_unknown' });
    await sender.step();
    clock.advance(sender.dueAt - clock.up());
    await sender.step();
    expect(sender.tokenRefusedSince).toBe(refusedAt);
    api.always = null;
    await drain(r);
    expect(sender.tokenRefusedSince).toBeNull();
    api.always = status(403, '<html>a proxy</html>');
    await take(r);
    await sender.step();
    expect(sender.tokenRefusedSince).toBeNull();
  });

  it('uses the secret of a new enrolment as soon as the old one is refused', async () => {
    const r = rig();
    const { api, sender, disk } = r;
    await take(r);
    api.script = [status(401, { code: 'agent_token_unknown' })];
    disk.credentials = { server_id: 'server-2', agent_token: 'token-2' };
    await drain(r);
    expect(api.requests.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
    expect(api.requests.at(-1)?.body).toMatchObject({ server_id: 'server-2' });
    expect([sender.serverId, sender.tokenRefusedSince]).toEqual(['server-2', null]);
  });

  it('logs once that it shares its machine id, and again when the names change', async () => {
    const r = rig();
    const { api, sender, lines } = r;
    for (const names of [['ct102'], ['ct102'], ['ct102', 'ct103'], undefined]) {
      Object.assign(api.answer, { shares_machine_id_with: names });
      await take(r);
      await drain(r);
      expect(sender.sharesMachineIdWith).toEqual(names ?? []);
    }
    const warnings = lines.filter((line) => line.includes('shares its machine id'));
    expect(warnings).toEqual([
      expect.stringMatching(/^warn .* with ct102, as.*systemd-machine-id-setup/),
      expect.stringMatching(/^warn .* with ct102, ct103, as/),
    ]);
  });

  it.each([401, 403])('keeps spooling on %s, tries again after 5–10 min and logs once', async (code) => {
    for (const random of [0, 0.999]) {
      const r = rig(() => random);
      await take(r);
      r.api.always = status(code, { code: 'agent_token_unknown' });
      for (let round = 0; round < 3; round += 1) {
        const before = r.clock.up();
        expect(await r.sender.step()).toBe('wait');
        expect(r.sender.dueAt - before).toBeGreaterThanOrEqual(300);
        expect(r.sender.dueAt - before).toBeLessThanOrEqual(600);
        r.clock.advance(r.sender.dueAt - before);
      }
      expect(r.lines).toHaveLength(1);
      expect(r.spool.entries).toHaveLength(1);
      expect(r.sender.lastError).toBe('agent_token_unknown');
    }
  });

  it('clears the spool and stops when the server was deleted', async () => {
    const r = rig();
    await take(r, 5);
    r.api.always = status(410, { code: 'server_deleted' });
    expect(await r.sender.step()).toBe('gone');
    expect(r.spool.entries).toEqual([]);
  });

  it('begins a new stream as a new server after a conflict', async () => {
    const r = rig();
    await take(r, 2);
    r.api.script = [status(409, { code: 'stream_conflict' })];
    r.clone.credentials = { server_id: 'server-2', agent_token: 'token-2' };
    const before = r.spool.entries[0]!.stream;
    await drain(r);
    expect(bodies(r).map(({ server_id, stream_id }) => [server_id, stream_id === before])).toEqual([
      ['server-1', true],
      ['server-2', false],
    ]);
    expect(r.kept).toEqual([{ server_id: 'server-2', agent_token: 'token-2' }]);
    expect(r.api.stored.size).toBe(2);
  });

  it('keeps everything when it cannot enrol as a clone', async () => {
    const r = rig();
    await take(r, 2);
    r.api.script = [status(409)];
    expect(await r.sender.step()).toBe('wait');
    expect(r.spool.entries).toHaveLength(2);
  });

  it.each([0, 0.2])('a busy server that demands %s s does not make a tight loop', async (seconds) => {
    const r = rig(() => 0);
    await take(r);
    r.api.script = [status(503, null, seconds)];
    await r.sender.step();
    expect(r.sender.dueAt - r.clock.up()).toBe(1);
  });

  it.each([1e12, Infinity])(
    'an answer that wishes a pause of %s s silences it for ten minutes at most',
    async (delay) => {
      const r = rig();
      await take(r);
      r.api.answer = { next: { interval: 60, delay } };
      await r.sender.step();
      expect(r.sender.dueAt - r.clock.up()).toBe(600);
    },
  );

  it.each([429, 503])('waits Retry-After and up to one interval on %s', async (code) => {
    const r = rig(() => 0.25);
    await take(r);
    r.api.script = [status(code, null, 17)];
    expect(await r.sender.step()).toBe('wait');
    expect(r.sender.dueAt - r.clock.up()).toBe(17 + 15);
    expect(await r.sender.step()).toBe('wait');
    expect(r.api.requests).toHaveLength(1);
  });

  it.each([415, 426])('tries hourly when the version is not spoken (%s)', async (code) => {
    const r = rig();
    await take(r);
    r.api.script = [status(code)];
    await r.sender.step();
    expect(r.sender.dueAt - r.clock.up()).toBe(3600);
    expect(r.spool.entries).toHaveLength(1);
  });

  it('backs off by 1 s + random(0, min(300, 5·2ⁿ)) and starts again after a success', async () => {
    const r = rig(() => 1);
    await take(r);
    r.api.always = failed('ECONNREFUSED');
    const waits: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await r.sender.step();
      waits.push(r.sender.dueAt - r.clock.up());
      r.clock.advance(r.sender.dueAt - r.clock.up());
    }
    expect(waits).toEqual([6, 11, 21, 41, 81, 161, 301, 301]);
    r.api.always = null;
    await drain(r);
    expect([r.sender.lastError, r.sender.retries]).toEqual([null, 8]);
    await take(r);
    r.api.script = [failed('timeout')];
    await r.sender.step();
    expect(r.sender.dueAt - r.clock.up()).toBe(6);
  });

  it('stores a rotated token before it uses it, and keeps the old one when it cannot', async () => {
    const r = rig();
    await take(r);
    r.api.answer = { new_token: 'token-2' };
    await r.sender.step();
    r.api.answer = {};
    expect(r.kept).toEqual([{ server_id: 'server-1', agent_token: 'token-2' }]);
    await take(r);
    await r.sender.step();
    expect(r.api.requests.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
  });

  it('measures the skew of the clocks and passes the interval on', async () => {
    const r = rig();
    await take(r);
    r.api.answer = { server_time: r.clock.wall() + 90, next: { interval: 30, delay: 0 } };
    await r.sender.step();
    expect(r.sender.clockSkewSeconds).toBeCloseTo(90, 3);
    expect(r.intervals).toEqual([30]);
  });

  it.each([
    [4, 0, 2],
    [0, 4, -2],
    [2, 2, 0],
  ])('measures the skew at the middle of a request that takes %i and %i s', async (there, back, error) => {
    const r = rig();
    await take(r);
    r.api.delays = { there: () => r.clock.advance(there), back: () => r.clock.advance(back) };
    await r.sender.step();
    expect(r.sender.clockSkewSeconds).toBeCloseTo(error, 3);
  });

  it.each([
    [0, 2],
    [1, 1],
  ])('fills a request to 700,000 bytes, and %i byte more goes with the next one', async (more, sent) => {
    const r = rig();
    await take(r);
    await r.sender.step();
    // The newest goes alone first, so the backlog is what is left.
    await take(r, 3);
    r.clock.advance(60);
    await r.sender.step();
    const backlog = r.spool.entries;
    expect(backlog).toHaveLength(2);
    for (const [index, entry] of backlog.entries()) Object.assign(entry, { bytes: 350_000 + index * more });
    r.clock.advance(60);
    await r.sender.step();
    expect(r.api.requests.at(-1)?.body).toMatchObject({ reports: Array.from({ length: sent }, () => ({})) });
  });

  it('counts a wait from the answer of a slow server, not from the request', async () => {
    const r = rig();
    await take(r);
    r.api.delays.back = () => r.clock.advance(9);
    r.api.answer = { next: { interval: 60, delay: 40 } };
    await r.sender.step();
    expect(r.sender.dueAt - r.clock.up()).toBe(40);
    expect(r.sender.acceptedAt).toBe(r.clock.wall());
  });

  it('waits as long as the server asks', async () => {
    const r = rig();
    await take(r);
    r.api.answer = { next: { interval: 60, delay: 40 } };
    await r.sender.step();
    expect(r.sender.dueAt - r.clock.up()).toBe(40);
  });

  it('takes an answer it cannot read for a failure', async () => {
    const r = rig();
    await take(r);
    r.api.script = [status(200, { hello: 'world' })];
    expect(await r.sender.step()).toBe('wait');
    expect([r.sender.lastError, r.spool.entries.length]).toEqual(['answer_unreadable', 1]);
  });

  it('ends with every report stored once or declared, whatever the network does', async () => {
    const trouble = fc.constantFrom(
      'lost' as const,
      failed('ECONNRESET'),
      status(500),
      status(503, null, 5),
      status(429),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(trouble, { maxLength: 4 }), { maxLength: 30 }), async (minutes) => {
        const r = rig();
        for (const script of minutes) {
          r.api.script.push(...script);
          await take(r);
          await r.sender.step();
        }
        await drain(r);
        expect(r.api.stored.size).toBe(minutes.length);
        expect(r.spool.entries).toEqual([]);
        expect(r.api.dropped).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
