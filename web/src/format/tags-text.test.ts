import { describe, expect, it } from 'vitest';
import { readTags, tagsText } from './tags-text.ts';

describe('tags as text', () => {
  it('reads back what it wrote', () => {
    const tags = { ci: '', team: 'web', 'k8s.io/role': 'a=b' };
    expect(tagsText(tags)).toBe('ci, team=web, k8s.io/role=a=b');
    expect(readTags(tagsText(tags))).toEqual({ tags });
    expect(readTags(' , ')).toEqual({ tags: {} });
  });

  it.each([
    ['a b=c', 'Must be tags: "a b" is none.'],
    ['=x', 'Must be tags: "" is none.'],
    [`a=${'x'.repeat(257)}`, '"a" is longer. Shorten it.'],
    [Array.from({ length: 51 }, (_, index) => `t${index}`).join(','), 'Must be at most 50 tags. Remove some.'],
  ])('says what is wrong with %s', (text, problem) => {
    expect(readTags(text)).toMatchObject({ problem: expect.stringContaining(problem) as string });
  });
});

describe('the most that a server can have', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `t${String(index)}`).join(', ');

  it('is fifty tags, names of 63 characters and values of 256', () => {
    expect(readTags(many(50))).toHaveProperty('tags');
    expect(readTags(many(51))).toEqual({ problem: 'Must be at most 50 tags. Remove some.' });
    expect(readTags(`a=${'x'.repeat(256)}`)).toHaveProperty('tags');
    expect(readTags(`a=${'x'.repeat(257)}`)).toHaveProperty('problem');
    expect(readTags('n'.repeat(63))).toHaveProperty('tags');
    expect(readTags('n'.repeat(64))).toHaveProperty('problem');
  });
});
