import type { EventPart } from '@plimsoll/contract/wire/report';
import type { ProcessSeen } from './tables/process-list.ts';
import type { UnitSeen } from './tables/unit-list.ts';

/** An event before it gets its time and id. */
export type Change = Pick<EventPart, 'event_type' | 'service_name' | 'process_name' | 'message' | 'severity'>;

const ofService = (
  event_type: Change['event_type'],
  name: string,
  message: string,
  severity: Change['severity'] = 'info',
): Change => ({ event_type, service_name: name, process_name: null, message, severity });

const ofProcess = (
  event_type: Change['event_type'],
  name: string,
  message: string,
  severity: Change['severity'] = 'info',
): Change => ({ event_type, service_name: null, process_name: name, message, severity });

/** Runs that end so were ended from outside their own will. */
const CRASHES = new Set(['signal', 'core-dump', 'oom-kill', 'watchdog']);
const isRunning = (state: string): boolean => state === 'active' || state === 'reloading';

/** Services that started, stopped, restarted or crashed between two readings. */
export function unitChanges(before: readonly UnitSeen[], now: readonly UnitSeen[]): Change[] {
  const known = new Map(before.map((unit) => [unit.name, unit]));
  const listed = new Set(now.map(({ name }) => name));
  const changes = now.flatMap((unit) => unitChange(known.get(unit.name), unit));
  // systemd forgets a service that ended well.
  const gone = before.filter(({ name, state }) => isRunning(state) && !listed.has(name));
  return [...changes, ...gone.map(({ name }) => ofService('service_stop', name, `${name} stopped`))];
}

function unitChange(before: UnitSeen | undefined, now: UnitSeen): Change[] {
  const { name } = now;
  const crash = crashOf(before, now);
  const times = before === undefined ? 0 : (now.restarts ?? 0) - (before.restarts ?? 0);
  if (times > 0) {
    const again = `${name} was restarted by its manager${times > 1 ? ` ${times} times` : ''}`;
    const failed =
      now.state === 'failed'
        ? [ofService('service_stop', name, `${name} failed (${now.result ?? 'unknown'})`, 'error')]
        : [];
    return [...crash, ofService('service_restart', name, again, 'warning'), ...failed];
  }
  if (now.state === 'failed' && before?.state !== 'failed') {
    return [...crash, ofService('service_stop', name, `${name} failed (${now.result ?? 'unknown'})`, 'error')];
  }
  const [was, is] = [before !== undefined && isRunning(before.state), isRunning(now.state)];
  if (!was && is) return [...crash, ofService('service_start', name, `${name} started`)];
  if (was && !is) return [...crash, ofService('service_stop', name, `${name} stopped`)];
  if (was && is && before?.startedMark !== now.startedMark)
    return [...crash, ofService('service_restart', name, `${name} restarted`)];
  return crash;
}

function crashOf(before: UnitSeen | undefined, now: UnitSeen): Change[] {
  const { result, name } = now;
  if (result === null || !CRASHES.has(result)) return [];
  const news = before?.result !== result || (now.restarts ?? 0) > (before.restarts ?? 0);
  if (!news) return [];
  const change = ofProcess('process_crash', name.replace(/\.service$/, ''), `${name} crashed (${result})`, 'error');
  return [{ ...change, service_name: name }];
}

/** Whose coming and going is news; what lives shorter than an interval is never seen. */
export interface ProcessWatch {
  /** Names the owner asked to watch. */
  names: ReadonlySet<string>;
  /** Pids among the top at the reading before. */
  top: ReadonlySet<number>;
  /** A process that begins with this much CPU, in per cent of one core, is news by itself. */
  busyPercent: number;
}

/**
 * Watched and busy processes that came, watched and top ones that went. Several of one name are one event, so that a build or
 * a pool of workers does not flood the list.
 */
export function processChanges(
  before: readonly ProcessSeen[],
  now: readonly ProcessSeen[],
  watch: ProcessWatch,
): Change[] {
  const begun = now.filter((one) => (one.cpuPercent ?? 0) >= watch.busyPercent || watch.names.has(one.name));
  const known = before.filter((one) => watch.top.has(one.pid) || watch.names.has(one.name));
  const started = without(begun, before);
  const stopped = without(known, now);
  const severity = (name: string): Change['severity'] => (watch.names.has(name) ? 'warning' : 'info');
  return [
    ...byName(started).map(([name, pids]) => ofProcess('process_start', name, say(name, pids, 'started'))),
    ...byName(stopped).map(([name, pids]) => ofProcess('process_stop', name, say(name, pids, 'ended'), severity(name))),
  ];
}

/** Returns the processes of `some` that are not in `all`. `all` may be thousands, so only possible matches are kept. */
function without(some: readonly ProcessSeen[], all: readonly ProcessSeen[]): ProcessSeen[] {
  if (some.length === 0) return [];
  const starts = new Map(some.map(({ pid }): [number, number | null] => [pid, null]));
  for (const { pid, startTicks } of all) if (starts.has(pid)) starts.set(pid, startTicks);
  // A pid names a process only together with its start.
  return some.filter(({ pid, startTicks }) => starts.get(pid) !== startTicks);
}

function byName(processes: readonly ProcessSeen[]): [string, number[]][] {
  const groups = new Map<string, number[]>();
  for (const { name, pid } of processes) groups.set(name, [...(groups.get(name) ?? []), pid]);
  return [...groups];
}

const say = (name: string, pids: number[], verb: string): string =>
  pids.length === 1 ? `${name} (pid ${pids[0]}) ${verb}` : `${pids.length} processes ${name} ${verb}`;
