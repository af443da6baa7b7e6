import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportEnvelope } from '@plimsoll/contract/wire/report';
import { describe, expect, it } from 'vitest';
import { enrolNode } from '../node/enrol.ts';
import { fakeApi, status } from '../testing/fake-api.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { memoryDisk } from '../testing/memory-disk.ts';
import { countedStreams, smallReport } from '../testing/reports.ts';
import { sayBye } from './bye.ts';
import { enrol } from './enrol.ts';
import type { Reply } from './http.ts';
import { Sender } from './sender.ts';
import { Spool } from './spool.ts';
import { judge, type Verdict } from './verdict.ts';

/** Feeds this collector every answer of API 0.1.0, as recorded in api/contract/fixtures/0.1.0. */
const FIXTURES = join(import.meta.dirname, '../../../api/contract/fixtures/0.1.0');
const read = (path: string): unknown => JSON.parse(readFileSync(join(FIXTURES, path), 'utf8'));

/** An error or a special answer, recorded with its Retry-After. */
function recorded(name: string): Reply {
  const one = read(`answers/${name}.json`) as { status: number; retry_after: number | null; body: unknown };
  return status(one.status, one.body, one.retry_after);
}
/** The answer beside a recorded request body. */
function answerTo(body: string): Reply {
  const one = read(`${body}.expected.json`) as { status: number; answer: unknown };
  return status(one.status, one.answer);
}
const apiThatAnswers = (reply: Reply) => ({ post: () => Promise.resolve(reply) });

const busySeconds = (read('answers/reports-503-overloaded.json') as { retry_after: number }).retry_after;
const REPORT_ANSWERS: Record<string, Partial<Verdict> & { code?: string }> = {
  'reports-200': { do: 'settle' },
  'reports-207-rejected-item': { do: 'settle' },
  'reports-400-envelope': { do: 'halve', code: 'invalid_parameter' },
  'reports-400-invalid-json': { do: 'halve', code: 'invalid_json' },
  'reports-401-unknown-token': { do: 'unauthorized', code: 'agent_token_unknown' },
  'reports-403-other-server': { do: 'unauthorized', code: 'server_mismatch' },
  'reports-409-stream-conflict': { do: 'renew', code: 'stream_conflict' },
  'reports-410-server-deleted': { do: 'gone', code: 'server_deleted' },
  'reports-413-too-large': { do: 'halve', code: 'body_too_large' },
  'reports-415-not-json': { do: 'unspoken', code: 'unsupported_media_type' },
  'reports-426-version': { do: 'unspoken', code: 'version_not_spoken' },
  'reports-429-too-many': { do: 'wait', code: 'too_many_requests', seconds: 30 },
  'reports-503-overloaded': { do: 'wait', code: 'overloaded', seconds: busySeconds },
};

describe('answers of API 0.1.0 to reports', () => {
  it('all have their line in the table', () => {
    const files = readdirSync(join(FIXTURES, 'answers')).filter((file) => file.startsWith('reports-'));
    expect(files.map((file) => file.replace('.json', '')).toSorted()).toEqual(Object.keys(REPORT_ANSWERS).toSorted());
  });

  it.each(Object.entries(REPORT_ANSWERS))('%s has its verdict', (name, verdict) => {
    expect(judge(recorded(name))).toMatchObject(verdict);
  });

  it.each([
    ['linux/03-report-with-events', 2],
    ['macos/02-report', 1],
    ['kubernetes/04-node-report-with-rates', 2],
  ])('the acknowledgement of %s empties the spool', async (body, last) => {
    const { spool, sender, api, intervals } = rig();
    await spool.append(smallReport(1_795_219_200, 5000), 'boot');
    if (last > 1) await spool.append(smallReport(1_795_219_260, 5060), 'boot');
    api.script.push(answerTo(body));
    expect(await sender.step()).toBe('done');
    expect([spool.entries.length, ...intervals]).toEqual([0, 60]);
  });

  it('an acknowledgement with a hole keeps the reports in it', async () => {
    const { spool, sender, api } = rig();
    for (let seq = 1; seq <= 7; seq += 1) await spool.append(smallReport(1_795_219_200 + seq, 5000 + seq), 'boot');
    api.script.push(answerTo('linux/04-newest-of-backlog-with-dropped'));
    expect(await sender.step()).toBe('wait');
    expect(spool.entries.map(({ seq }) => seq)).toEqual([4, 5, 6]);
  });

  it('a deleted server ends the collector and clears its spool', async () => {
    const { spool, sender, api } = rig();
    await spool.append(smallReport(1_795_219_200, 5000), 'boot');
    api.script.push(recorded('reports-410-server-deleted'));
    expect(await sender.step()).toBe('gone');
    expect(spool.entries).toEqual([]);
  });

  it('a stream conflict begins a new stream under the clone’s credentials', async () => {
    const { spool, sender, api } = rig();
    await spool.append(smallReport(1_795_219_200, 5000), 'boot');
    api.script.push(recorded('reports-409-stream-conflict'));
    await sender.step();
    expect(sender.serverId).toBe('clone');
    sender.dueAt = 0;
    await sender.step();
    const [before, after] = api.requests.map(({ body }) => body as ReportEnvelope);
    expect(after?.stream_id).not.toBe(before?.stream_id);
    expect(after?.reports).toHaveLength(1);
  });

  it('a rejected report is dropped with its code', async () => {
    const { spool, sender, api } = rig();
    await spool.append(smallReport(1_795_219_200, 5000), 'boot');
    await spool.append(smallReport(1_795_219_260, 5060), 'boot');
    api.script.push(recorded('reports-207-rejected-item'));
    await sender.step();
    expect(spool.dropped.streams().flatMap((stream) => spool.dropped.of(stream))).toEqual([
      { from: 2, to: 2, n: 1, why: 'rejected:invalid_item' },
    ]);
  });
});

function rig() {
  const clock = fakeClock(1_795_219_300, 5100);
  const api = fakeApi(() => clock.wall());
  const intervals: number[] = [];
  const spool = new Spool({ disk: memoryDisk(), newStream: countedStreams() });
  const sender = new Sender(
    {
      api,
      spool,
      clock,
      random: () => 0.5,
      log: () => undefined,
      bootId: 'boot',
      credentials: { server_id: 'server', agent_token: 'token' },
      keep: () => undefined,
      reload: () => null,
      enrolAsClone: () => Promise.resolve({ server_id: 'clone', agent_token: 'clone-token' }),
      onInterval: (seconds) => intervals.push(seconds),
    },
    30,
  );
  return { api, spool, sender, intervals };
}

describe('answers of API 0.1.0 to enrolment and farewell', () => {
  const request = { enrolment_token: 't', machine_hash: 'a'.repeat(64), hostname: 'h' };

  it('enrols with the recorded id and token', async () => {
    for (const body of ['linux/01-enrol', 'macos/01-enrol', 'macos/03-enrol-as-clone']) {
      const { answer } = read(`${body}.expected.json`) as { answer: { server_id: string; agent_token: string } };
      expect(await enrol(apiThatAnswers(answerTo(body)), request)).toEqual({
        kind: 'enrolled',
        credentials: { server_id: answer.server_id, agent_token: answer.agent_token },
        intervalSeconds: 60,
      });
    }
  });

  it.each([
    ['enrol-401-unknown-token', { kind: 'refused', code: 'enrolment_token_unknown' }],
    ['enrol-400-hostname', { kind: 'refused', code: 'invalid_parameter' }],
    ['enrol-429-too-many', { kind: 'later', code: 'too_many_requests', seconds: 30 }],
  ])('%s', async (name, outcome) => {
    expect(await enrol(apiThatAnswers(recorded(name)), request)).toMatchObject(outcome);
  });

  it('a node waits as long as the API asks, then enrols', async () => {
    const clock = fakeClock();
    const replies = [recorded('node-enrol-503-not-known-yet'), answerTo('kubernetes/02-node-enrol')];
    const waits: number[] = [];
    const enrolled = await enrolNode(
      {
        api: { post: () => Promise.resolve(replies.shift() ?? status(500)) },
        clusterToken: 't',
        request: { node_name: 'n', boot_id: 'b', hostname: 'n' },
        known: null,
        clock: {
          up: () => clock.up(),
          sleep: (seconds) => {
            waits.push(seconds);
            return Promise.resolve();
          },
        },
        random: () => 0.5,
        log: () => undefined,
      },
      new AbortController().signal,
    );
    const { retry_after: asked } = read('answers/node-enrol-503-not-known-yet.json') as { retry_after: number };
    expect(waits).toEqual([asked]);
    expect(enrolled?.intervalSeconds).toBe(60);
  });

  it.each(['linux/07-bye-restart', 'linux/08-bye-stop', 'linux/09-bye-uninstall'])('%s succeeds', async (body) => {
    expect(await sayBye(apiThatAnswers(answerTo(body)), { token: 't' }, 'stop')).toBe(true);
  });
});
