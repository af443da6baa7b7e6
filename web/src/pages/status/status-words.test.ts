import type { PublicServerState } from '@plimsoll/contract/rules/status-page-limits';
import { expect, it } from 'vitest';
import { summaryWords } from './status-words.ts';

const page = (...states: PublicServerState[]) => ({
  servers: states.map((state) => ({ name: 'x', state, reported_at: null, figures: null })),
});

it.each<[string, PublicServerState[]]>([
  ['All servers are operational', ['operational', 'operational']],
  ['The server is operational', ['operational']],
  ['1 of 2 servers is under high load', ['over_line', 'operational']],
  ['The server is under high load', ['over_line']],
  ['2 of 3 servers are offline', ['offline', 'over_line', 'offline']],
  ['All 2 servers are offline', ['offline', 'offline']],
  ['The server is offline', ['offline']],
  ['1 of 2 servers is operational, 1 not reporting yet', ['operational', 'not_reporting']],
  ['No server has reported yet', ['not_reporting', 'not_reporting']],
  ['This page has no servers', []],
])('%s', (words, states) => {
  expect(summaryWords(page(...states))).toBe(words);
});
