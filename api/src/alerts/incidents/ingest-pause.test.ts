import { describe, expect, it } from 'vitest';
import { type IngestWatchState, nextIngestWatch } from './ingest-pause.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NOW = 1_770_000_000_000;
const running: IngestWatchState = { seenAt: NOW - 15 * SECOND, receivedAt: NOW - 20 * SECOND, pausedUntil: 0 };
const pause = (before: IngestWatchState | null, receivedAgo: number | null, now = NOW): number =>
  nextIngestWatch(before, { now, receivedAt: receivedAgo === null ? null : NOW - receivedAgo }, MINUTE).pausedUntil;

describe('a pause', () => {
  it('begins for two intervals when the API was away, and lasts as long as a longer absence', () => {
    expect(pause({ ...running, seenAt: NOW - 30 * SECOND }, 20 * SECOND)).toBe(0);
    expect(pause({ ...running, seenAt: NOW - 40 * SECOND }, 20 * SECOND)).toBe(NOW + 2 * MINUTE);
    expect(pause({ ...running, seenAt: NOW - 4 * MINUTE }, 20 * SECOND)).toBe(NOW + 4 * MINUTE);
    expect(pause({ ...running, seenAt: NOW - 600 * MINUTE }, 20 * SECOND)).toBe(NOW + 301 * SECOND);
    expect(pause(null, null)).toBe(NOW + 301 * SECOND);
  });
  it('begins with the first report after a time without any', () => {
    const silent = { ...running, receivedAt: NOW - 3 * MINUTE };
    expect(pause(silent, 3 * MINUTE)).toBe(0);
    expect(pause(silent, 5 * SECOND)).toBe(NOW - 5 * SECOND + 175 * SECOND);
    expect(pause({ ...running, receivedAt: NOW - 2 * MINUTE }, 0)).toBe(NOW + 2 * MINUTE);
  });
  it('does not begin where one server reports each minute', () => {
    expect(pause({ ...running, receivedAt: NOW - 64 * SECOND }, 0)).toBe(0);
    expect(pause({ ...running, receivedAt: null }, 0)).toBe(0);
  });
  it('goes on until its end, and no longer when the clock is set back', () => {
    expect(pause({ ...running, pausedUntil: NOW + MINUTE }, 0)).toBe(NOW + MINUTE);
    const later = { seenAt: NOW + 60 * MINUTE, receivedAt: NOW, pausedUntil: NOW + 62 * MINUTE };
    expect(pause(later, 0)).toBe(NOW + 301 * SECOND);
  });
});
