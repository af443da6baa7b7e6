import { describe, expect, it } from 'vitest';
import { isPageOfNow, readScope, viewOf } from './view.ts';

const search = (text: string) => new URLSearchParams(text);

describe('the view of an address', () => {
  it('is every server now, if the address says nothing', () => {
    expect(viewOf(search(''))).toEqual({ scope: '', at: null });
    expect(viewOf(search('scope=&at='))).toEqual({ scope: '', at: null });
  });

  it('has the scope in the form of the API, and the moment in seconds', () => {
    expect(viewOf(search('scope=tag:env=prod&at=2026-11-20T03:12Z'))).toEqual({
      scope: 'tag:env=prod',
      at: Date.UTC(2026, 10, 20, 3, 12) / 1000,
    });
  });

  it('is the whole fleet where its scope cannot be read, and says why: part of a scope would hide servers', () => {
    const read = readScope(search('scope=nonsense:x'));
    expect(read.scope).toEqual([]);
    expect(read.problem).toMatch(/\w/);
    expect(viewOf(search('scope=nonsense:x')).scope).toBe('');
    expect(readScope(search('scope=region:eu')).problem).toBeNull();
  });

  it('reads no moment that is none', () => {
    expect(['yesterday', '-5', '1e9', '2026-13-40T99:99Z'].map((at) => viewOf(search(`at=${at}`)).at)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('a page that has no past', () => {
  it.each(['/setup', '/profile', '/profile/team', '/ai-chat', '/ai-chat/x', '/alerts/rules', '/alerts/rules/new'])(
    '%s shows now',
    (path) => expect(isPageOfNow(path)).toBe(true),
  );

  it.each(['/', '/servers', '/alerts', '/alerts/1', '/setups', '/alerts/rulesets', '/servers/profile'])(
    '%s shows the moment',
    (path) => expect(isPageOfNow(path)).toBe(false),
  );
});
