import { expect, it } from 'vitest';
import { reportedWords } from './reported-words.ts';

it.each([
  [{ total: 1, uninstalled: 0, online: 1 }, 'one server'],
  [{ total: 1, uninstalled: 0, online: 0 }, 'sum of servers, 0 of 1 reported'],
  [{ total: 36, uninstalled: 0, online: 36 }, 'sum of 36 servers'],
  [{ total: 36, uninstalled: 0, online: 31 }, 'sum of servers, 31 of 36 reported'],
  [{ total: 40, uninstalled: 4, online: 31 }, 'sum of servers, 31 of 36 reported'],
  [{ total: 40, uninstalled: 4, online: 36 }, 'sum of 36 servers'],
])('%j', (summary, words) => expect(reportedWords(summary)).toBe(words));
