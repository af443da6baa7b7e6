import type { Server } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { sparkFor, sparkIds, sparkPages, sparksOf } from './card-sparks.ts';

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
    expect(sparkIds(shown, 0)).toEqual(['a', 'c']);
    expect(sparkIds(shown.toReversed(), 0)).toEqual(['a', 'c']);
  });

  it('are asked for by fifties, those in sight', () => {
    const many = Array.from({ length: 125 }, (_, index) => server(String(index).padStart(3, '0'), 'cpu'));
    const ids = many.map(({ id }) => id);
    expect(sparkIds(many, 0)).toEqual(ids.slice(0, 50));
    expect(sparkIds(many, 2)).toEqual(ids.slice(100));
    expect(sparkIds(many, null)).toEqual([]);
  });

  it.each([
    ['the top', 0, 28, [0, null]],
    ['across fifty', 38, 66, [0, 1]],
    ['up to fifty', 22, 50, [0, null]],
    ['none', 0, 0, [0, null]],
  ])('know the fifties in sight: %s', (_, first, end, pages) => {
    expect(sparkPages({ first, end })).toEqual(pages);
  });

  it('are drawn of IO wait too, once it is what the words speak of', () => {
    const waiting = { ...ANSWER, sparks: [{ server_id: 'a', resource: 'io_wait' as const, values: [4, 12] }] };
    expect(sparkFor(server('a', 'io_wait'), sparksOf(waiting))).toHaveLength(2);
  });
});
