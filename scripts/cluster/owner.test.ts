import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLeftBehind, recordOwner } from './owner.ts';

let run: string;
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'plimsoll-owner-'));
});
afterEach(() => {
  rmSync(run, { recursive: true });
});

function change(owner: Record<string, unknown>): void {
  const file = join(run, 'owner.json');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...owner }));
}

describe('the owner of a cluster', () => {
  it('keeps the cluster of a test run that goes on', () => {
    recordOwner(run, process.pid);
    expect(isLeftBehind(run)).toBe(false);
  });

  it('leaves behind the cluster of a test run that was killed', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    recordOwner(run, pid);
    expect(isLeftBehind(run)).toBe(true);
  });

  it.runIf(process.platform === 'linux')('is not a later process with the same pid', () => {
    recordOwner(run, process.pid);
    change({ process: { pid: process.pid, startedAt: '1' } });
    expect(isLeftBehind(run)).toBe(true);
  });

  it('keeps the cluster that a person started', () => {
    recordOwner(run, null);
    expect(isLeftBehind(run)).toBe(false);
  });

  it('leaves behind a cluster when the machine was started again', () => {
    recordOwner(run, null);
    change({ boot: 'another start' });
    expect(isLeftBehind(run)).toBe(true);
  });

  it('keeps a cluster whose owner is not known', () => {
    expect(isLeftBehind(run)).toBe(false);
  });
});
