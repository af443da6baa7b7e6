import { describe, expect, it } from 'vitest';
import { nameIn, questionInThread, questionsIn, type Message } from './thread.ts';
import { readingOf, readingOfParts } from './understand.ts';
import { wordsOf } from './words.ts';

const at = (time: string): number => Date.parse(`2026-11-${time}:00Z`) / 1000;
/** A Sunday. */
const NOW = at('29T16:20');
const YESTERDAY = { from: at('28T00:00'), to: at('29T00:00') };

/** A thread of questions; an answer stands behind "→". */
const inThread = (lines: readonly string[]): readonly [string | undefined, unknown, readonly string[]] => {
  const thread = lines
    .slice(0, -1)
    .map((line): Message =>
      line.startsWith('→') ? { role: 'assistant', content: line.slice(1) } : { role: 'user', content: line },
    );
  const { understood, unread } = readingOfParts(questionInThread(lines.at(-1) ?? '', thread, NOW));
  return [understood?.tool, understood?.input, unread];
};

describe('a question that goes on from the one before', () => {
  it.each([
    [['cpu of db-1', 'and memory?'], 'server_details', { server: 'db-1' }],
    [['cpu of db-1', 'and web-1?'], 'server_details', { server: 'web-1' }],
    [['cpu of db-1', 'and alerts?'], 'list_alerts', { server: 'db-1' }],
    [['cpu of db-1', 'which processes does it run'], 'top_processes', { by: 'cpu', server: 'db-1' }],
    [['is db-1 up', 'how much memory does it have'], 'server_details', { server: 'db-1' }],
    [['which servers are offline', 'since when'], 'list_servers', { status: 'offline' }],
    [['is db-1 up', 'since when'], 'server_details', { server: 'db-1' }],
    [
      ['cpu of db-1', 'and yesterday?'],
      'figures_over_time',
      { figure: 'cpu', server: 'db-1', chart: true, ...YESTERDAY },
    ],
    [
      ['memory of db-1 yesterday', 'what about cpu'],
      'figures_over_time',
      { figure: 'cpu', server: 'db-1', chart: true, ...YESTERDAY },
    ],
    [['how many alerts are there', 'and yesterday'], 'list_alerts', YESTERDAY],
    [['which server has the highest cpu', 'and memory?'], 'rank_servers', { by: 'memory' }],
    [['cpu of db-1', 'und speicher?'], 'server_details', { server: 'db-1' }],
    [
      ['cpu of db-1', 'and memory?', 'and yesterday?'],
      'figures_over_time',
      { figure: 'memory', server: 'db-1', chart: true, ...YESTERDAY },
    ],
    // The answer said which server it is.
    [
      ['highest cpu?', '→**db\\-2 has the highest CPU usage: 9 %.**', 'what is running on it'],
      'top_processes',
      { by: 'cpu', server: 'db-2' },
    ],
    // A whole question stands alone.
    [['cpu of db-1', 'which servers are offline'], 'list_servers', { status: 'offline' }],
    [['cpu of db-1', 'are there any active alerts'], 'list_alerts', {}],
  ])('%j', (lines, tool, input) => {
    expect(inThread(lines)).toEqual([tool, input, []]);
  });

  it.each(['how much memory does it have', 'is it down', 'what is its uptime'])(
    '“%s” is refused where nothing was named before',
    (question) => {
      expect(readingOf(question, NOW).understood).toBeNull();
    },
  );
});

describe('two questions in one', () => {
  const planned = (question: string) =>
    questionsIn(question, NOW).map((parts) => {
      const { understood } = readingOfParts(parts);
      return [understood?.tool, understood?.input];
    });
  it.each([
    [
      'cpu and memory of db-1 and which alerts',
      [
        ['server_details', { server: 'db-1' }],
        ['list_alerts', { server: 'db-1' }],
      ],
    ],
    [
      'which server has the highest cpu and which has the most free memory',
      [
        ['rank_servers', { by: 'cpu' }],
        ['rank_servers', { by: 'free_memory' }],
      ],
    ],
    [
      'cpu of db-1? which servers are offline?',
      [
        ['server_details', { server: 'db-1' }],
        ['list_servers', { status: 'offline' }],
      ],
    ],
    [
      'cpu of db-1 yesterday and which alerts',
      [
        ['figures_over_time', { figure: 'cpu', server: 'db-1', chart: true, ...YESTERDAY }],
        ['list_alerts', { server: 'db-1', ...YESTERDAY }],
      ],
    ],
    ['cpu and memory of db-1', []],
    ['compare db-1 and web-1', []],
  ])('%s', (question, plans) => {
    expect(planned(question)).toEqual(plans);
  });
});

it.each([
  ['why is checkout API down', 'checkout API'],
  ['is nightly backup ok', 'nightly backup'],
  ['is the backup ok', null],
  // Words with a meaning of their own are no name.
  ['which servers are down', null],
])('“%s” names the check %s', (question, name) => {
  expect(nameIn(wordsOf(question), ['checkout API', 'nightly backup', 'backup of all', 'servers'])).toBe(name);
});
