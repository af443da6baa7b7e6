import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTags, tagsText } from '../../format/tags-text.ts';

describe('tags', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,20}$/);
  const value = fc.string({ maxLength: 30 }).map((text) => text.trim());

  it('come back from the field a person edits, whatever their values hold', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 6, noNullPrototype: true }), (tags) => {
        expect(readTags(tagsText(tags))).toEqual({ tags });
      }),
    );
  });

  it('are read or refused in words, never lost in silence', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readTags(text);
        const named = text.replaceAll(/[\s,]/g, '') !== '';
        expect('problem' in read ? read.problem !== '' : Object.keys(read.tags).length > 0).toBe(named);
      }),
    );
  });
});
