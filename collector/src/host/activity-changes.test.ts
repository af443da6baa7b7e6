import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, processChanges, type ProcessWatch, unitChanges } from './activity-changes.ts';
import type { ProcessSeen } from './tables/process-list.ts';
import type { UnitSeen } from './tables/unit-list.ts';

const unit = (change: Partial<UnitSeen> = {}): UnitSeen => ({
  name: 'web.service',
  state: 'active',
  subState: 'running',
  restarts: 0,
  result: 'success',
  startedMark: 100,
  mainPid: 7,
  ...change,
});
const typesOf = (changes: readonly Change[]): string[] =>
  changes.map(({ event_type, severity }) => `${event_type} ${severity}`);
const between = (before: Partial<UnitSeen>, after: Partial<UnitSeen>): string[] =>
  typesOf(unitChanges([unit(before)], [unit(after)]));

describe('unitChanges', () => {
  it.each<[string, Partial<UnitSeen>, Partial<UnitSeen>, string[]]>([
    ['reloads', {}, { state: 'reloading' }, []],
    ['has reloaded', { state: 'reloading' }, {}, []],
    ['is on its way up', { state: 'inactive' }, { state: 'activating' }, []],
    ['came up in the end', { state: 'activating' }, {}, ['service_start info']],
    ['is on its way down', {}, { state: 'deactivating' }, ['service_stop info']],
    ['ended well', {}, { state: 'inactive' }, ['service_stop info']],
    ['was never up', { state: 'inactive' }, { state: 'inactive' }, []],
    ['came back after a failure', { state: 'failed', result: 'exit-code' }, {}, ['service_start info']],
    ['fails from nothing', { state: 'inactive' }, { state: 'failed', result: 'timeout' }, ['service_stop error']],
    ['stays failed', { state: 'failed', result: 'timeout' }, { state: 'failed', result: 'timeout' }, []],
    ['was ended by a signal', {}, { state: 'failed', result: 'signal' }, ['process_crash error', 'service_stop error']],
    [
      'was killed by its watchdog',
      {},
      { state: 'failed', result: 'watchdog' },
      ['process_crash error', 'service_stop error'],
    ],
    ['ran out of memory', {}, { state: 'failed', result: 'oom-kill' }, ['process_crash error', 'service_stop error']],
    ['failed by itself', {}, { state: 'failed', result: 'exit-code' }, ['service_stop error']],
    ['crashed before and is told no more', { result: 'core-dump' }, { result: 'core-dump' }, []],
    [
      'crashes again and again',
      { result: 'core-dump', restarts: 4 },
      { result: 'core-dump', restarts: 5 },
      ['process_crash error', 'service_restart warning'],
    ],
    [
      'was restarted until its manager gave up',
      { restarts: 2 },
      { restarts: 5, state: 'failed', result: 'start-limit-hit' },
      ['service_restart warning', 'service_stop error'],
    ],
    ['was restarted by hand', {}, { startedMark: 200 }, ['service_restart info']],
    ['has a count that began again', { restarts: 5 }, { restarts: 0 }, []],
    ['is told without a count', { restarts: null }, { restarts: null, startedMark: 200 }, ['service_restart info']],
    ['gets a mark that was not known', { startedMark: null }, { startedMark: null }, []],
  ])('a service that %s', (_what, before, after, told) => {
    expect(between(before, after)).toEqual(told);
  });

  it('a crash is told under the process and its service', () => {
    const [crash] = unitChanges([unit()], [unit({ state: 'failed', result: 'signal' })]);
    expect(crash).toEqual({
      event_type: 'process_crash',
      service_name: 'web.service',
      process_name: 'web',
      message: 'web.service crashed (signal)',
      severity: 'error',
    });
  });

  it('of what the manager forgets, only what ran has stopped', () => {
    const before = [unit({ name: 'ran' }), unit({ name: 'was-down', state: 'inactive' })];
    expect(unitChanges(before, []).map(({ message }) => message)).toEqual(['ran stopped']);
  });

  it('a new one counts no restarts from before it was seen', () => {
    expect(typesOf(unitChanges([], [unit({ restarts: 9 })]))).toEqual(['service_start info']);
  });

  it('nothing changes while nothing does, and each change is about its own service', () => {
    const units = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('a.service', 'b.service', 'c.service', 'd.service'),
        state: fc.constantFrom('active', 'inactive', 'failed', 'activating', 'reloading'),
        subState: fc.constant(null),
        restarts: fc.option(fc.nat(5)),
        result: fc.option(fc.constantFrom('success', 'signal', 'exit-code', 'oom-kill')),
        startedMark: fc.option(fc.nat(3)),
        mainPid: fc.constant(null),
      }),
      { selector: ({ name }) => name },
    );
    fc.assert(
      fc.property(units, units, (before, after) => {
        expect(unitChanges(before, before)).toEqual([]);
        const names = new Set<string>([...before, ...after].map(({ name }) => name));
        for (const { service_name: name, message } of unitChanges(before, after))
          expect([names.has(name ?? ''), message.startsWith(name ?? '?')]).toEqual([true, true]);
      }),
    );
  });
});

describe('processChanges', () => {
  const one = (change: Partial<ProcessSeen> = {}): ProcessSeen => ({
    pid: 7,
    startTicks: 1,
    name: 'worker',
    state: 'S',
    cpuTicks: 0,
    threads: 1,
    residentPages: 10,
    cpuPercent: 0,
    ...change,
  });
  const watch = (change: Partial<ProcessWatch> = {}): ProcessWatch => ({
    names: new Set(),
    top: new Set(),
    busyPercent: 25,
    ...change,
  });

  it.each([
    [24.9, []],
    [25, ['process_start info']],
    [null, []],
  ])('a new process at %s per cent of a core', (cpuPercent, told) => {
    expect(typesOf(processChanges([], [one({ cpuPercent })], watch()))).toEqual(told);
  });

  it('a watched one that ends is a warning, one of the top is news, any other is nothing', () => {
    const before = [one({ pid: 1, name: 'db' }), one({ pid: 2, name: 'build' }), one({ pid: 3, name: 'ls' })];
    const changes = processChanges(before, [], watch({ names: new Set(['db']), top: new Set([2]) }));
    expect(changes.map(({ message, severity }) => `${severity}: ${message}`)).toEqual([
      'warning: db (pid 1) ended',
      'info: build (pid 2) ended',
    ]);
  });

  it('a pid that another process has now is one that ended and one that began', () => {
    const names = new Set(['worker']);
    const changes = processChanges([one()], [one({ startTicks: 2 })], watch({ names }));
    expect(typesOf(changes)).toEqual(['process_start info', 'process_stop warning']);
  });

  it('many of one name are one event', () => {
    const workers = Array.from({ length: 30 }, (_, index) => one({ pid: index + 1 }));
    const names = new Set(['worker']);
    expect(processChanges([], workers, watch({ names })).map(({ message }) => message)).toEqual([
      '30 processes worker started',
    ]);
    expect(processChanges(workers, workers, watch({ names }))).toEqual([]);
  });
});
