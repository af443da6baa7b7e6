import { describe, expect, it } from 'vitest';
import { sampleServer } from '../testing/sample-server.ts';
import {
  byServer,
  cardFigures,
  isSilent,
  platformText,
  serverName,
  shareOf,
  sizesText,
  staleSince,
} from './server-facts.ts';

describe('what a server is', () => {
  it('writes its system and sizes', () => {
    expect(platformText(sampleServer())).toBe('Debian 12 · amd64');
    expect(sizesText(sampleServer())).toBe('8 cores · 32 GB · 4 TB');
    expect(sizesText(sampleServer({ cpu_cores: 1, is_kubernetes_node: true }))).toBe('1 core · 32 GB · 4 TB · k8s');
  });

  it('does not say the version twice', () => {
    expect(platformText(sampleServer({ os_name: 'Ubuntu 24.04', os_version: '24.04' }))).toBe('Ubuntu 24.04 · amd64');
  });

  it('leaves out what is not known', () => {
    const fresh = sampleServer({
      os_name: null,
      os_type: null,
      platform: null,
      architecture: null,
      cpu_cores: null,
      total_memory: null,
      total_storage: null,
    });
    expect(platformText(fresh)).toBe('System not reported yet');
    expect(sizesText(fresh)).toBe('');
  });

  it('shows the given name and hides nothing in it', () => {
    expect(serverName(sampleServer({ display_name: 'Build' }))).toBe('Build');
    expect(serverName(sampleServer({ hostname: 'a\u202Eb' }))).toBe('a\\u202Eb');
  });
});

it.each([
  ['active', false],
  ['installing', false],
  ['offline', true],
  ['uninstalled', true],
] as const)('%s is silent: %s', (status, silent) => expect(isSilent({ status })).toBe(silent));

describe('figures', () => {
  it('are stale only when the server is offline', () => {
    expect(staleSince(sampleServer())).toBeUndefined();
    expect(staleSince(sampleServer({ status: 'offline' }))).toBe(Date.parse('2026-01-02T00:00:00Z'));
    expect(staleSince(sampleServer({ status: 'offline', last_seen_at: null }))).toBeNull();
  });

  it('are unknown without a sample, never nought', () => {
    expect(cardFigures(undefined)).toEqual({ cpu: null, memory: null, disk: null });
    expect(byServer(undefined).size).toBe(0);
  });

  it('reckons a share as df does', () => {
    expect(shareOf(30, 70)).toBe(30);
    expect(shareOf(0, 0)).toBeNull();
  });
});
