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
