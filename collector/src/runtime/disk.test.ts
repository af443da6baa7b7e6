import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskAt } from './disk.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-disk-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('a link that somebody planted in the state directory', () => {
  it('leads no write elsewhere', () => {
    const outside = join(home, 'outside');
    writeFileSync(outside, 'kept');
    const state = join(home, 'state');
    const disk = diskAt(state);
    for (const name of ['spool', 'agent.json', 'agent.json.new']) symlinkSync(outside, join(state, name));
    expect(() => disk.append('spool', Buffer.from('x'), false)).toThrow(/ELOOP/);
    expect(() => disk.truncate('spool', 0)).toThrow(/ELOOP/);
    disk.replace('agent.json', 'secret');
    expect(readFileSync(join(state, 'agent.json'), 'utf8')).toBe('secret');
    expect(readFileSync(outside, 'utf8')).toBe('kept');
    expect(disk.list()).toEqual(['agent.json', 'spool']);
  });
});

it('a file is appended to, shortened and replaced', () => {
  const disk = diskAt(join(home, 'state'));
  disk.append('spool', Buffer.from('one'), false);
  disk.append('spool', Buffer.from('two'), true);
  disk.truncate('spool', 4);
  expect(disk.read('spool').toString()).toBe('onet');
  writeFileSync(join(home, 'state', 'agent.json.new'), 'of a start that was cut off');
  disk.replace('agent.json', 'first');
  disk.replace('agent.json', 'second');
  expect(disk.read('agent.json').toString()).toBe('second');
});
