import { eventObject } from '@plimsoll/contract/wire/cluster-objects';
import { describe, expect, it } from 'vitest';
import { events } from './events.ts';
import { capturedList } from '../testing/captured.ts';

const [real] = capturedList('events');
const AT = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const epoch = (minute: number): number => Date.UTC(2026, 0, 1, 12, minute) / 1000;
const event = (change: object) =>
  eventObject.parse(
    events.project({
      metadata: { uid: 'u', namespace: 'shop', creationTimestamp: AT(0) },
      involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'p' },
      ...change,
    }),
  );

describe('an event', () => {
  it('captured from a cluster keeps who, what and when', () => {
    const told = events.project(real);
    expect(told).toMatchObject({
      uid: expect.any(String),
      reason: expect.stringMatching(/^[A-Z]/),
      kind: expect.any(String),
    });
    expect(told.last_at).toBeGreaterThanOrEqual(told.first_at);
    expect(told.first_at).toBeGreaterThan(1_700_000_000);
  });

  it('of an old recorder has a count and two timestamps', () => {
    const source = { component: 'kubelet', host: 'worker' };
    expect(event({ count: 7, firstTimestamp: AT(1), lastTimestamp: AT(9), source })).toMatchObject({
      count: 7,
      first_at: epoch(1),
      last_at: epoch(9),
      component: 'kubelet',
    });
  });

  it('of a new recorder has one time and a series', () => {
    const series = { count: 4, lastObservedTime: AT(8) };
    const told = event({
      eventTime: AT(2),
      series,
      firstTimestamp: null,
      lastTimestamp: null,
      reportingComponent: 'sched',
    });
    expect(told).toMatchObject({ count: 4, first_at: epoch(2), last_at: epoch(8), component: 'sched' });
  });

  it('without any time is as old as its object, and happened once', () => {
    expect(event({})).toMatchObject({
      count: 1,
      first_at: epoch(0),
      last_at: epoch(0),
      type: 'Normal',
      reason: '',
      message: '',
    });
    expect(event({ count: 0 }).count).toBe(1);
  });

  it('never ended before it began', () => {
    expect(event({ firstTimestamp: AT(5), lastTimestamp: AT(3) })).toMatchObject({
      first_at: epoch(5),
      last_at: epoch(5),
    });
  });

  it('about something without a namespace is its own namespace’s', () => {
    expect(event({ involvedObject: { kind: 'Node', name: 'worker' } })).toMatchObject({
      namespace: 'shop',
      kind: 'Node',
      object_uid: null,
    });
    expect(event({ involvedObject: {} })).toMatchObject({ kind: '', name: '' });
  });

  it('without a uid is none', () => {
    expect(() => events.project({ metadata: {}, involvedObject: {} })).toThrow('metadata.uid is missing');
  });
});
