import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDigester } from '../changes/described.ts';
import { DescribedState } from '../changes/described-state.ts';
import { ClusterReporter, type ClusterReply } from './cluster-reporter.ts';
import { ClusterState } from './cluster-state.ts';
import { FakeTiming } from '../testing/fake-timing.ts';

/** Feeds this cluster collector the answers of API 0.1.0, as recorded in api/contract/fixtures/0.1.0. */
const FIXTURES = join(import.meta.dirname, '../../../../api/contract/fixtures/0.1.0');
const read = (path: string) =>
  JSON.parse(readFileSync(join(FIXTURES, path), 'utf8')) as {
    status: number;
    answer?: { history_wanted: object };
    body?: object;
    retry_after?: number | null;
  };

function reporterThatGets(file: string): { reporter: ClusterReporter; log: string[] } {
  const { status, answer, body, retry_after: retryAfterSeconds = null } = read(file);
  const reply: ClusterReply = { kind: 'answer', status, body: answer ?? body, retryAfterSeconds };
  const timing = new FakeTiming();
  const log: string[] = [];
  const reporter = new ClusterReporter({
    post: () => Promise.resolve(reply),
    state: new ClusterState(timing, new DescribedState([], createDigester('token'))),
    cluster: { uid: 'c', name: null, version: null },
    collector: { id: 'one', version: '0', term: 3 },
    addresses: () => Promise.resolve([]),
    readers: () => [],
    covers: () => ['nodes'],
    coversDescribed: () => [],
    readLog: null,
    usage: () => Promise.resolve([]),
    timing,
    log: (_level, _message, fields) => log.push(String(fields?.['code'])),
  });
  return { reporter, log };
}

describe('answers of API 0.1.0 to the cluster collector', () => {
  it('an accepted listing settles it and asks for the history', async () => {
    const { reporter, log } = reporterThatGets('kubernetes/01-listing.expected.json');
    expect(await reporter.report()).toBe(10_000);
    expect(reporter.historyWanted).toEqual(read('kubernetes/01-listing.expected.json').answer?.history_wanted);
    expect([reporter.counts.failures, reporter.counts.rejected, log]).toEqual([0, 0, []]);
  });

  it.each([
    ['cluster-401-unknown-token', 'cluster_token_unknown', 300_000],
    ['cluster-403-other-cluster', 'cluster_mismatch', 300_000],
    ['cluster-409-older-term', 'collector_superseded', 1000],
  ])('%s keeps the report and logs the code', async (name, code, leastMs) => {
    const { reporter, log } = reporterThatGets(`answers/${name}.json`);
    expect(await reporter.report()).toBeGreaterThanOrEqual(leastMs);
    expect([reporter.counts.failures, reporter.deliveredAt, log]).toEqual([1, null, [code]]);
  });
});
