import { describe, expect, it } from 'vitest';
import { sampleServer } from '../testing/sample-server.ts';
import { sortServers } from './server-sort.ts';

const at = (hostname: string, points: number | null, given: Parameters<typeof sampleServer>[0] = {}) =>
  sampleServer({
    id: hostname,
    hostname,
    headroom: points === null ? null : { resource: 'cpu', points, value: 80 - points, line: 80, subject: null },
    ...given,
  });
const names = (servers: { hostname: string }[]) => servers.map((server) => server.hostname);

describe('sortServers', () => {
  const fleet = [
    at('gone', 1, { status: 'uninstalled', last_seen_at: '2026-01-01T00:00:00.000Z' }),
    at('web-10', 30, { last_seen_at: '2026-01-05T00:00:00.000Z' }),
    at('web-9', -5, { last_seen_at: '2026-01-04T00:00:00.000Z' }),
    at('silent', -20, { status: 'offline', last_seen_at: '2026-01-03T00:00:00.000Z' }),
    at('new', null, { status: 'installing', last_seen_at: null }),
  ];

  it('puts offline servers first, then least headroom, then the unranked', () => {
    expect(names(sortServers(fleet, 'headroom'))).toEqual(['silent', 'web-9', 'web-10', 'new', 'gone']);
  });

  it('sorts names as people count', () => {
    expect(names(sortServers(fleet, 'name'))).toEqual(['gone', 'new', 'silent', 'web-9', 'web-10']);
  });

  it('sorts by last report, never last', () => {
    expect(names(sortServers(fleet, 'last_seen'))).toEqual(['web-10', 'web-9', 'silent', 'gone', 'new']);
  });
});
