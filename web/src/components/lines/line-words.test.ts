import type { LogLine } from '@plimsoll/contract/wire/lines';
import { describe, expect, it } from 'vitest';
import { ofWorkload, sourceOf } from './line-words.ts';

const line = (given: Partial<LogLine>): LogLine => ({
  at: '2026-11-20T03:12:00.000Z',
  kind: 'journal_error',
  text: 'failed',
  count: 1,
  subject: null,
  server_id: null,
  hostname: null,
  cluster_id: null,
  namespace: null,
  pod: null,
  container: null,
  run: null,
  ended_at: null,
  ...given,
});

describe('what wrote a line', () => {
  it('is its unit or device, or the container of the last words', () => {
    expect(sourceOf(line({ subject: 'nginx.service' }))).toBe('nginx.service');
    const place = { namespace: 'shop', pod: 'api-1', container: 'api', subject: 'x' };
    expect(sourceOf(line({ kind: 'last_words', ...place }))).toBe('shop / api-1 / api');
    expect(sourceOf(line({ kind: 'oom_kill', ...place }))).toBe('x');
  });

  it('leaves out what is not known, and shows characters that turn text around', () => {
    expect(sourceOf(line({ kind: 'last_words', namespace: 'shop', container: 'api' }))).toBe('shop / api');
    expect(sourceOf(line({}))).toBe('');
    expect(sourceOf(line({ subject: 'sd\u202Ea' }))).toBe('sd\\u202Ea');
  });
});

describe('the lines of a workload', () => {
  const pods = (...names: (string | null)[]) => names.map((pod) => line({ pod }));
  const namesOf = (lines: LogLine[], name: string) => ofWorkload(lines, name).map(({ pod }) => pod);

  it('are those of its pods and not of a workload whose name begins alike', () => {
    const lines = pods('api-7d9f-x1', 'api', 'apigateway-1', 'worker-api-1', 'api-');
    expect(namesOf(lines, 'api')).toEqual(['api-7d9f-x1', 'api', 'api-']);
  });

  it('keep the lines of the host, which may have killed a pod of it', () => {
    expect(namesOf(pods(null, 'other-1'), 'api')).toEqual([null]);
  });
});
