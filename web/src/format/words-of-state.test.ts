import { describe, expect, it } from 'vitest';
import { sampleServer } from '../testing/sample-server.ts';
import { creatorWords } from './creator-words.ts';
import { notOnlineText } from './server-counts.ts';
import { isSilent, staleSince } from './server-facts.ts';

describe('servers that are not online', () => {
  const counts = { total: 9, online: 5, offline: 0, refused: 0, installing: 0 };

  it('are counted by why, and what is nought is left out', () => {
    expect(notOnlineText({ ...counts, offline: 1, refused: 2, installing: 3 } as never)).toBe(
      '1 offline, 2 refused, 3 installing',
    );
    expect(notOnlineText({ ...counts, installing: 1 } as never)).toBe('1 installing');
    expect(notOnlineText(counts as never)).toBe('');
  });
});

describe('a server of which nothing new is stored', () => {
  const statuses = ['active', 'offline', 'refused', 'installing', 'uninstalled'] as const;

  it('is silent while it sends, too, if its reports are refused', () => {
    expect(statuses.filter((status) => isSilent({ status }))).toEqual(['offline', 'refused', 'uninstalled']);
  });

  it('has figures of its last stored report, not of its last contact', () => {
    const seen = { last_seen_at: '2026-11-20T03:12:00.000Z' };
    const refusal = { since: '', last_at: '', code: '', detail: '', last_stored_at: '2026-11-20T01:00:00.000Z' };
    expect(staleSince(sampleServer({ status: 'refused', refusal, ...seen }))).toBe(Date.parse('2026-11-20T01:00:00Z'));
    expect(staleSince(sampleServer({ status: 'refused', refusal: null, ...seen }))).toBeNull();
    expect(staleSince(sampleServer({ status: 'offline', ...seen }))).toBe(Date.parse('2026-11-20T03:12:00Z'));
    expect(staleSince(sampleServer({ status: 'offline', last_seen_at: null }))).toBeNull();
    expect(staleSince(sampleServer({ status: 'active', ...seen }))).toBeUndefined();
  });
});

it('tells somebody who is not stored from an account that was deleted', () => {
  expect(creatorWords(null)).toBe('unknown');
  expect(creatorWords({ account_id: null, name: null })).toBe('a deleted account');
  expect(creatorWords({ account_id: null, name: 'Mira\u202E' })).toBe('Mira\\u202E');
});
