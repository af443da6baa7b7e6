import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import type { EventPart } from '@plimsoll/contract/wire/report';
import { type Change, processChanges, unitChanges } from './activity-changes.ts';
import { linesOfReading } from './journal/journal.ts';
import { cutToBytes } from '../runtime/cut-to-bytes.ts';
import type { Files } from '../runtime/files.ts';
import { describePackages, PACKAGE_LOGS } from './tables/package-log.ts';
import { type ProcessSeen, topProcesses } from './tables/process-list.ts';
import type { UnitSeen } from './tables/unit-list.ts';
import type { Moment, Source } from '../source.ts';

export interface ActivityInputs {
  files: Files;
  processes: () => readonly ProcessSeen[];
  units: () => readonly UnitSeen[] | null;
  watchedProcesses: readonly string[];
  watchedFiles: readonly string[];
  version: string;
  /** True: the kernel's count of kills is of this machine alone. In a container it is of the whole host. */
  countsKills: boolean;
}
/** State of the last reading, against which the next is compared. */
interface Before {
  up: number;
  ts: number;
  processes: readonly ProcessSeen[];
  units: readonly UnitSeen[] | null;
  files: Map<string, string | null>;
  logs: Map<string, number>;
  killed: number | null;
  /** Seconds that each processor has counted since boot, in every state. */
  counted: Map<string, number>;
}

/** Maximum events of one report: the report counts the events it leaves out. */
const EVENTS_PER_REPORT = 50;
/** Read from the end of a package log at one time. */
const LOG_BYTES = 262_144;
const WATCHED_TOP = 20;
const BUSY_PERCENT = 25;
/** A wall clock that moved this much against the uptime was set, not slewed. */
const CLOCK_JUMP_SECONDS = 30;

/** Finds events by comparing two readings; nothing is polled in between. */
export function activitySource(inputs: ActivityInputs): Source {
  let before: Before | null = null;
  let announced = false;
  return {
    name: 'activity',
    read: async (now: Moment) => {
      const state = observe(inputs, now);
      const changes = before ? findChanges(inputs, before, state) : [];
      // The first reading is what later ones are compared with and is not sent.
      if (before && !announced) changes.unshift(ofCollector(`Collector ${inputs.version} started`));
      announced = before !== null;
      const kills = inputs.countsKills && before ? killsBetween(before, state) : 0;
      before = state;
      const events = [...toEvents(changes, now.ts), ...linesOfReading(inputs.files)];
      return { part: { events, ...(kills > 0 && { oom_kills: kills }) } };
    },
  };
}

function observe({ files, processes, units, watchedFiles }: ActivityInputs, now: Moment): Before {
  const marks = watchedFiles.map((path): [string, string | null] => [path, markOf(files, path)]);
  const logs = PACKAGE_LOGS.map(({ path }): [string, number] => [path, files.stat(path)?.bytes ?? 0]);
  const killed = /^oom_kill (\d+)$/m.exec(files.optional('proc/vmstat') ?? '')?.[1];
  return {
    ...now,
    processes: processes(),
    units: units(),
    files: new Map(marks),
    logs: new Map(logs),
    killed: killed === undefined ? null : Number(killed),
    counted: countedSeconds(files.optional('proc/stat') ?? ''),
  };
}

/** Changes whenever the file is written or replaced. */
function markOf(files: Files, path: string): string | null {
  const found = files.stat(path);
  return found && `${found.inode}/${found.bytes}/${found.changedMs}`;
}

function findChanges(inputs: ActivityInputs, before: Before, now: Before): Change[] {
  const top = new Set(topProcesses(before.processes, WATCHED_TOP).map(({ pid }) => pid));
  const watch = { names: new Set(inputs.watchedProcesses), top, busyPercent: BUSY_PERCENT };
  return [
    ...(before.units && now.units ? unitChanges(before.units, now.units) : []),
    ...killChanges(before, now),
    ...processChanges(before.processes, now.processes, watch),
    ...fileChanges(before, now),
    ...packageChanges(inputs.files, before, now),
    ...clockChanges(before, now),
    ...suspendChanges(before, now),
  ];
}

/** 0 where the kernel does not count them. */
const killsBetween = (before: Before, now: Before): number =>
  Math.max(0, (now.killed ?? 0) - (before.killed ?? now.killed ?? 0));

/** The kernel counts its out-of-memory kills; it does not name the killed process. */
function killChanges(before: Before, now: Before): Change[] {
  const count = killsBetween(before, now);
  if (count === 0) return [];
  const message = `The kernel killed ${count === 1 ? 'a process' : `${count} processes`}: out of memory`;
  return [{ event_type: 'process_crash', service_name: null, process_name: null, message, severity: 'critical' }];
}

function fileChanges(before: Before, now: Before): Change[] {
  return [...now.files].flatMap(([path, mark]): Change[] => {
    const was = before.files.get(path) ?? null;
    if (was === mark) return [];
    const verb = was === null ? 'appeared' : mark === null ? 'was removed' : 'changed';
    const message = `/${path} ${verb}`;
    return [{ event_type: 'config_change', service_name: null, process_name: null, message, severity: 'warning' }];
  });
}

/** Only what was appended since; a log that became shorter was rotated and is read from its start. */
function packageChanges(files: Files, before: Before, now: Before): Change[] {
  return PACKAGE_LOGS.flatMap(({ path, parse }): Change[] => {
    const [was, is] = [before.logs.get(path) ?? 0, now.logs.get(path) ?? 0];
    if (was === is) return [];
    const added = files.tail(path, Math.min(LOG_BYTES, is < was ? is : is - was)) ?? '';
    const packages = added.split('\n').flatMap((line) => parse(line.trimEnd()) ?? []);
    if (packages.length === 0) return [];
    const message = describePackages(packages);
    return [{ event_type: 'update_installed', service_name: null, process_name: null, message, severity: 'info' }];
  });
}

function clockChanges(before: Before, now: Before): Change[] {
  const jump = now.ts - before.ts - (now.up - before.up);
  if (Math.abs(jump) < CLOCK_JUMP_SECONDS) return [];
  return [
    ofCollector(`The clock was set ${jump > 0 ? 'forward' : 'back'} by ${Math.round(Math.abs(jump))} s`, 'warning'),
  ];
}

/** Hosts print their counters in hundredths of a second, whatever the kernel counts in (USER_HZ). */
const TICKS_PER_SECOND = 100;
/** A shorter suspension makes no gap, and counters of a virtual machine may lag by seconds. */
const SUSPENDED_SECONDS = 60;

function countedSeconds(stat: string): Map<string, number> {
  const counted = new Map<string, number>();
  for (const [, name = '', ticks = ''] of stat.matchAll(/^(cpu\d+) (.*)$/gm)) {
    // Guest time, the ninth and tenth, is a part of user time.
    const sum = ticks
      .trim()
      .split(/\s+/)
      .slice(0, 8)
      .reduce((total, text) => total + Number(text), 0);
    counted.set(name, sum / TICKS_PER_SECOND);
  }
  return counted;
}

/**
 * A suspension: the uptime goes on (CLOCK_BOOTTIME), and the processors count nothing (CLOCK_MONOTONIC). The runtime has
 * no clock of the second kind. The processor that counted most decides, because others may have been off.
 */
function suspendChanges(before: Before, now: Before): Change[] {
  const grown = [...now.counted].flatMap(([name, seconds]) => {
    const was = before.counted.get(name);
    return was === undefined || seconds < was ? [] : [seconds - was];
  });
  const counted = Math.max(0, ...grown);
  // A host that is awake counts. Counters that stand still are those of a container or of a broken file.
  if (counted === 0) return [];
  const suspended = now.up - before.up - counted;
  if (suspended < SUSPENDED_SECONDS) return [];
  const message = `The host was suspended for ${durationText(suspended)}`;
  return [{ ...ofCollector(message), event_type: 'system_resume' }];
}

const durationText = (seconds: number): string =>
  seconds < 5400 ? `${String(Math.round(seconds / 60))} min` : `${String(Math.round(seconds / 3600))} h`;

const ofCollector = (message: string, severity: Change['severity'] = 'info'): Change => ({
  event_type: 'system_monitoring',
  service_name: null,
  process_name: 'plimsoll',
  message,
  severity,
});

/** The same thing twice in one report is said once. */
export function toEvents(changes: readonly Change[], ts: number): EventPart[] {
  const unique = [...new Map(changes.map((change) => [`${change.event_type} ${change.message}`, change])).values()];
  const kept = unique.slice(0, EVENTS_PER_REPORT);
  const cut = unique.length - kept.length;
  if (cut > 0) kept.push(ofCollector(`${cut} more events in this interval are not listed`, 'warning'));
  const message = (text: string): string => cutToBytes(text.toWellFormed(), REPORT_LIMITS.stringBytes);
  return kept.map((change, index) => ({
    ...change,
    message: message(change.message),
    id: `${Math.floor(ts * 1000)}-${index}`,
    ts,
  }));
}
