import { describe, expect, it } from 'vitest';
import { isConnected, outcomeText } from './connection.ts';

const arrival = (reportedAt: number | null) => ({ name: 'a', reportedAt, path: '/', note: null });
const none = { arrivals: [], total: 0 };
const enrolledOnly = { arrivals: [arrival(null)], total: 1 };
const reported = { arrivals: [arrival(null), arrival(5), arrival(6)], total: 7 };

describe('connection', () => {
  it('needs a report, not only an enrolment', () => {
    expect(isConnected(none)).toBe(false);
    expect(isConnected(enrolledOnly)).toBe(false);
    expect(isConnected(reported)).toBe(true);
  });
  it('says the texts of a server', () => {
    expect(outcomeText('linux', none)).toBe('No servers connected yet');
    expect(outcomeText('macos', enrolledOnly)).toBe('No servers connected yet');
    expect(outcomeText('linux', reported)).toBe('Server connected successfully!');
  });
  it('counts nodes truly', () => {
    expect(outcomeText('kubernetes', none)).toBe('No Kubernetes nodes connected yet');
    expect(outcomeText('kubernetes', reported)).toBe('7 Kubernetes node(s) connected successfully!');
  });
});
