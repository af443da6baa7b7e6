import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connection,
  connectionState,
  needsProbe,
  recordAnswer,
  recordOffline,
  recordOnline,
  recordUnreachable,
  suspectConnection,
} from './connection.ts';

const START = Date.parse('2026-11-19T02:10:00Z');
const CLEAR = { answeredAt: START, fault: null, refusal: null };
const stateAfter = (seconds: number) => connectionState(connection.get(), START + seconds * 1000);

beforeEach(() => connection.set(CLEAR));
afterEach(() => connection.set({ ...CLEAR, answeredAt: Date.now() }));

describe('the state of the connection', () => {
  it.each([
    [0, 'live'],
    [29.999, 'live'],
    [30, 'late'],
    [90, 'late'],
    [90.001, 'lost'],
    [86_400, 'lost'],
    [-3600, 'live'],
  ])('%s s after the last answer it is %s', (seconds, state) => expect(stateAfter(seconds)).toBe(state));

  it('stays as it is while a failed call waits for the probe', () => {
    suspectConnection();
    expect([stateAfter(1), stateAfter(40)]).toEqual(['live', 'late']);
  });

  it('is lost at once when the probe fails, and live again with the next answer', () => {
    suspectConnection();
    recordUnreachable('The database does not answer');
    expect([stateAfter(1), connection.get().refusal]).toEqual(['lost', 'The database does not answer']);
    recordAnswer(START + 2000);
    expect([stateAfter(2), connection.get().refusal]).toEqual(['live', null]);
  });

  it('is lost at once when the browser goes offline; answers still on their way prove nothing', () => {
    recordOffline();
    recordAnswer(START + 1000);
    recordUnreachable('late failure');
    expect([stateAfter(1), connection.get()]).toEqual(['lost', { ...CLEAR, fault: 'offline' }]);
  });

  it('stays lost when the browser is online again, until the API answers', () => {
    recordOffline();
    recordOnline();
    expect(stateAfter(1)).toBe('lost');
    recordAnswer(START + 2000);
    expect(stateAfter(2)).toBe('live');
  });

  it('keeps the moment of the last answer through every fault', () => {
    suspectConnection();
    recordUnreachable(null);
    recordOffline();
    recordOnline();
    suspectConnection();
    expect(connection.get().answeredAt).toBe(START);
  });

  it('reports no fault for an `online` that follows no `offline`', () => {
    recordOnline();
    expect(connection.get()).toEqual(CLEAR);
  });
});

describe('needsProbe', () => {
  const needed = (seconds: number) => needsProbe(connection.get(), START + seconds * 1000);

  it('probes for a suspicion, a fault and an old answer, and never while offline', () => {
    expect([needed(29), needed(31), needed(600)]).toEqual([false, true, true]);
    suspectConnection();
    expect(needed(1)).toBe(true);
    recordUnreachable(null);
    expect(needed(1)).toBe(true);
    recordOffline();
    expect([needed(1), needed(600)]).toEqual([false, false]);
  });
});
