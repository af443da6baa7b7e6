import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { ClusterEnvelope, ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import type { ListedKind } from '@plimsoll/contract/rules/kubernetes-limits';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDigester } from '../changes/described.ts';
import { DescribedState } from '../changes/described-state.ts';
import { ClusterReporter, type ClusterReply, type ReporterOptions } from './cluster-reporter.ts';
import { ClusterState } from './cluster-state.ts';
import { FakeTiming } from '../testing/fake-timing.ts';

const ok = (more: object = {}): ClusterReply => ({
  kind: 'answer',
  status: 200,
  body: { accepted: [], rejected: [], listing_wanted: false, next: { interval: 60 }, ...more },
  retryAfterSeconds: null,
});
const node = (name: string, ready = true) => ({ uid: name, name, ready }) as NodeObject;

describe('ClusterReporter', () => {
  let timing: FakeTiming;
  let state: ClusterState;
  let sent: ClusterEnvelope[];
  let replies: ClusterReply[];
  let covers: ListedKind[];
  let usageReads: number;
  let reporter: ClusterReporter;
  let toldLogs: unknown[];
  let addresses: string[];
  let lines: string[];
  const reporterWith = (readLog: ReporterOptions['readLog']) =>
    new ClusterReporter({
      post: (path, body) => {
        if (path.endsWith('/logs')) toldLogs.push(body);
        else sent.push(structuredClone(body as ClusterEnvelope));
        return Promise.resolve(replies.shift() ?? ok());
      },
      state,
      cluster: { uid: 'c', name: null, version: null },
      collector: { id: 'one', version: '0', term: 3 },
      addresses: () => Promise.resolve(addresses),
      readers: () => [],
      covers: () => covers,
      coversDescribed: () => [],
      usage: () => {
        usageReads += 1;
        return Promise.resolve([]);
      },
      readLog,
      timing,
      log: (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
    });
  const items = (): ClusterItem[] => sent.splice(0).flatMap(({ reports }) => reports);

  beforeEach(() => {
    timing = new FakeTiming();
    state = new ClusterState(timing, new DescribedState([], createDigester('token')));
    sent = [];
    replies = [];
    covers = ['nodes', 'pods'];
    usageReads = 0;
    toldLogs = [];
    addresses = [];
    lines = [];
    reporter = reporterWith(null);
  });

  it('answers requests for logs that come with a response, where the chart allows it', async () => {
    const request = { id: 'r-1', namespace: 'shop', pod: 'web', container: 'app', previous: false };
    const asking = () => ok({ log_requests: [request] });
    const answer = { id: 'r-1', lines: ['started'], failure: null };
    replies = [asking()];
    await reporter.report();
    expect(toldLogs).toEqual([]);
    reporter = reporterWith((asked) => Promise.resolve({ ...answer, id: asked.id }));
    await reporter.report();
    sent = [];
    replies = [asking()];
    await reporter.report();
    // A response brings the requests, so there is one although nothing changed.
    expect(sent).toMatchObject([{ reports: [] }]);
    await expect.poll(() => toldLogs).toEqual([answer]);
  });

  it('names every API server of its cluster that it saw, and logs each refused one once', async () => {
    const refused = () => ok({ refused_collector_at: ['10.0.9.5:6443'] });
    replies = [refused(), refused(), ok(), refused()];
    for (const seen of ['10.0.0.5:6443', '10.0.0.6:6443', '', '']) {
      addresses = seen === '' ? [] : [seen];
      timing.advance(60_000);
      state.nodes.upsert(node(`node-${seen}-${String(timing.now())}`));
      await reporter.report();
    }
    expect(sent.at(-1)?.cluster.api_addresses).toEqual(['10.0.0.6:6443', '10.0.0.5:6443']);
    expect(lines.filter((line) => line.includes('10.0.9.5:6443'))).toHaveLength(2);
  });

  it('begins with a full listing of what it covers, under its term', async () => {
    state.nodes.upsert(node('a'));
    await reporter.report();
    expect(sent[0]?.collector.term).toBe(3);
    const listed = items();
    expect(listed.flatMap(({ nodes = [] }) => nodes)).toEqual([node('a')]);
    expect(listed.at(-1)?.listing).toMatchObject({ complete: true, covers: ['nodes', 'pods'] });
    expect(new Set(listed.map(({ listing }) => listing?.id)).size).toBe(1);
  });

  it('takes secrets out of every text but identifiers before it sends', async () => {
    const labels = { app: 'shop', 'db-password': 'abc9', note: 'token=abc9' };
    state.nodes.upsert({ ...node('token=a'), labels, taints: ['key=https://u:abc9@h:NoSchedule'] });
    await reporter.report();
    const [listed] = items().flatMap(({ nodes = [] }) => nodes);
    expect(listed).toMatchObject({
      name: 'token=a',
      labels: { app: 'shop', 'db-password': '[redacted]', note: 'token=[redacted]' },
    });
    expect(JSON.stringify(listed)).not.toContain('abc9');
  });

  it('then tells changes only, and nothing when there are none', async () => {
    state.nodes.upsert(node('a'));
    await reporter.report();
    items();
    expect(await reporter.report()).toBe(10_000);
    expect(sent).toEqual([]);
    state.nodes.upsert(node('b'));
    state.nodes.remove(node('a'));
    await reporter.report();
    const [changed, last] = items();
    expect(changed).toMatchObject({ nodes: [node('b')] });
    expect(last?.deleted?.nodes).toEqual(['a']);
    expect(changed?.listing).toBeUndefined();
  });

  it('reads figures once an interval, as long as the server says it is', async () => {
    replies.push(ok({ next: { interval: 30 } }));
    await reporter.report();
    timing.advance(29_000);
    await reporter.report();
    expect(usageReads).toBe(1);
    timing.advance(1000);
    await reporter.report();
    expect(usageReads).toBe(2);
  });

  it('keeps what did not arrive and sends it again', async () => {
    await reporter.report();
    items();
    state.nodes.upsert(node('b'));
    replies.push({ kind: 'failed', code: 'ECONNREFUSED' });
    expect(await reporter.report()).toBeGreaterThan(0);
    items();
    await reporter.report();
    expect(items().flatMap(({ nodes = [] }) => nodes)).toEqual([node('b')]);
  });

  it('waits as long as it is told, and five minutes where a person must act', async () => {
    replies.push({ kind: 'answer', status: 503, body: { code: 'overloaded' }, retryAfterSeconds: 17 });
    expect(await reporter.report()).toBe(17_000);
    replies.push({ kind: 'answer', status: 401, body: { code: 'cluster_token_unknown' }, retryAfterSeconds: null });
    expect(await reporter.report()).toBe(300_000);
    expect(reporter.counts.failures).toBe(2);
  });

  it('asks every few seconds while a fresh install comes up, and then no more often than others', async () => {
    const next = async (): Promise<number> => {
      replies.push({ kind: 'failed', code: 'ECONNREFUSED' });
      const waitMs = await reporter.report();
      timing.advance(waitMs);
      return waitMs;
    };
    const startedAt = timing.now();
    const waits: number[] = [];
    while (timing.now() - startedAt < 120_000) waits.push(await next());
    expect(Math.max(...waits)).toBeLessThanOrEqual(10_000);
    expect(await next()).toBeGreaterThan(50_000);
  });

  it('backs off more and more, up to a minute', async () => {
    await reporter.report();
    state.nodes.upsert(node('a'));
    const waits: number[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      replies.push({ kind: 'failed', code: 'timeout' });
      waits.push(await reporter.report());
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBeGreaterThan(50_000);
    expect(waits.at(-1)).toBeLessThanOrEqual(60_000);
  });

  it('lists anew when the server asks, when more is covered, and every quarter of an hour', async () => {
    const isListing = () => items().some(({ listing }) => listing !== undefined);
    replies.push(ok({ listing_wanted: true }));
    await reporter.report();
    expect(isListing()).toBe(true);
    await reporter.report();
    expect(isListing()).toBe(true);
    await reporter.report();
    expect(isListing()).toBe(false);
    covers = ['nodes', 'pods', 'volumes'];
    await reporter.report();
    expect(isListing()).toBe(true);
    timing.advance(15 * 60_000);
    await reporter.report();
    expect(isListing()).toBe(true);
  });

  it('an item the server refuses is counted and not sent again', async () => {
    replies.push(ok({ rejected: [{ seq: 1, index: 0, code: 'invalid_item', detail: 'nodes.0.name' }] }));
    state.nodes.upsert(node('a'));
    await reporter.report();
    items();
    await reporter.report();
    expect(reporter.counts.rejected).toBe(1);
    expect(items()).toEqual([]);
  });
});
