import type { Server } from '@plimsoll/contract/servers';
import { describe, expect, it } from 'vitest';
import { sparkFor, sparkIds, sparksOf } from './card-sparks.ts';

const server = (id: string, resource: 'cpu' | 'io_wait' | null, status: Server['status'] = 'active') => ({
  id,
  status,
  headroom: resource === null ? null : { resource, value: 50, line: 80, points: 30, subject: null },
});
const ANSWER = {
  from: 1_790_000_000,
  to: 1_790_005_400,
  bucket_seconds: 1800,
  sparks: [{ server_id: 'a', resource: 'cpu' as const, values: [10, null, 20] }],
};

describe('small charts of the cards', () => {
  it('stand at the start of their buckets, with their gaps', () => {
    expect(sparkFor(server('a', 'cpu'), sparksOf(ANSWER))).toEqual([
      { at: 1_790_000_000, value: 10 },
      { at: 1_790_001_800, value: null },
      { at: 1_790_003_600, value: 20 },
    ]);
  });

  it.each([
    ['before the answer', server('a', 'cpu'), undefined],
    ['for a server the answer does not name', server('b', 'cpu'), ANSWER],
    ['beside words about another resource', server('a', 'io_wait'), ANSWER],
    ['for a silent server', server('a', 'cpu', 'offline'), ANSWER],
    ['for a server without figures', server('a', null), ANSWER],
  ])('are not drawn %s', (_, of, answer) => {
    expect(sparkFor(of, sparksOf(answer))).toBeUndefined();
  });

  it('are asked for servers that report, whatever their rank', () => {
    const shown = [server('c', 'cpu'), server('a', 'cpu'), server('b', 'cpu', 'offline'), server('d', null)];
    expect(sparkIds(shown)).toEqual(['a', 'c']);
    expect(sparkIds(shown.toReversed())).toEqual(['a', 'c']);
  });

  it('are asked for a hundred servers at most, the first shown', () => {
    const many = Array.from({ length: 150 }, (_, index) => server(String(index).padStart(3, '0'), 'cpu'));
    expect(sparkIds(many)).toEqual(many.slice(0, 100).map(({ id }) => id));
  });
});
