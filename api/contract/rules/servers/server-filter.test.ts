import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesServer, searchWords } from './server-filter.ts';

const SERVER = {
  names: ['Shop front', 'web-10', null],
  system: ['Debian GNU/Linux', '12', 'arm64'],
  region: 'fra1',
  tags: { env: 'prod', team: 'web' },
};
const finds = (search: string) => matchesServer(SERVER, searchWords(search));

it.each(['', '  ', 'web', 'WEB-1', 'shop', 'debian arm64', 'fra1 prod', 'env=prod', 'front  12 team=web'])(
  'finds the server by %j',
  (search) => {
    expect(finds(search)).toBe(true);
  },
);

it.each(['web db', 'env=test', 'null', 'undefined'])('does not find it by %j', (search) => {
  expect(finds(search)).toBe(false);
});

it('finds fewer servers with each word, in any order', () => {
  const word = fc.constantFrom('web', 'prod', 'fra1', 'db', 'arm', 'x');
  fc.assert(
    fc.property(fc.array(word), word, (words, more) => {
      const found = matchesServer(SERVER, words);
      expect(matchesServer(SERVER, words.toReversed())).toBe(found);
      expect(matchesServer(SERVER, [more, ...words]) && !found).toBe(false);
    }),
  );
});
