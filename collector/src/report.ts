import type { AgentPart, Report } from '@plimsoll/contract/wire/report';
import { activitySource } from './host/activity.ts';
import { connectionSourceDarwin } from './host/connections/connections.darwin.ts';
import { connectionSource } from './host/connections/connections.ts';
import { cpuSourceDarwin } from './host/cpu.darwin.ts';
import { diskIoSourceDarwin } from './host/disk-io.darwin.ts';
import { enclosureOf, isContainer } from './host/enclosure/enclosure.ts';
import { filesystemSourceDarwin } from './host/filesystem.darwin.ts';
import { loadSourceDarwin } from './host/load.darwin.ts';
import { memorySourceDarwin } from './host/memory.darwin.ts';
import { networkSourceDarwin } from './host/network.darwin.ts';
import { processSourceDarwin } from './host/processes.darwin.ts';
import { systemSourceDarwin } from './host/system.darwin.ts';
import { unitSourceDarwin } from './host/units.darwin.ts';
import { containerSource } from './host/containers.ts';
import { containerRuntime, type ContainerRuntime } from './host/containers/container-runtime.ts';
import { cpuSource } from './host/cpu.ts';
import { diskIoSource } from './host/disk-io.ts';
import { filesystemSource } from './host/filesystem.ts';
import { loadSource } from './host/load.ts';
import { limitedMemory } from './host/enclosure/limited-memory.ts';
import { hardwareSources, type HardwareSettings } from './host/hardware/sources.ts';
import { remembered } from './host/hardware/remembered.ts';
import { memorySource } from './host/memory.ts';
import { networkSource } from './host/network.ts';
import { pressureSource } from './host/pressure.ts';
import { processSource, type ProcessSource } from './host/processes.ts';
import { systemSource, type SystemSettings } from './host/system.ts';
import { temperatureSource } from './host/temperatures.ts';
import { unitSource, type UnitSource } from './host/units.ts';
import { hiddenProcesses } from './host/tables/hidden-processes.ts';
import { watchedProcessSource } from './host/watched-processes.ts';
import { withinLimits } from './host/within-limits.ts';
import { redactReport, redactSources } from './redact-report.ts';
import type { Exec } from './runtime/exec.ts';
import type { Runtime } from './runtime/native.ts';
import { unixRequest } from './runtime/unix-http.ts';
import type { Files } from './runtime/files.ts';
import { spaceReader, type StatSpace } from './host/filesystem-space.ts';
import type { Moment, Part, Source } from './source.ts';

export interface SourceSettings extends SystemSettings, HardwareSettings {
  stripArguments: boolean;
  /** Path of the runtime's socket; null or absent: it is not used. */
  containerSocket?: string | null;
  watchedProcesses: readonly string[];
  /** Absolute paths. */
  watchedFiles: readonly string[];
}

/** Every source of a Linux host, in the order they are read: activity compares what the ones before it saw. */
export function linuxSources(
  files: Files,
  exec: Exec,
  settings: SourceSettings,
  statSpace: StatSpace = spaceReader(),
): Source[] {
  const processes = processSource(files, settings);
  const units = unitSource(files, exec);
  const sharesKernel = isContainer(enclosureOf(files));
  const { source: filesystems, seen } = remembered(filesystemSource(files, statSpace, sharesKernel), 'filesystems');
  return [
    systemSource(files, settings),
    cpuSource(files),
    limitedMemory(files, memorySource(files, sharesKernel)),
    loadSource(files),
    pressureSource(files),
    filesystems,
    diskIoSource(files),
    networkSource(files),
    processes,
    connectionSource(files),
    containerSource(files, runtimeOf(settings)),
    temperatureSource(files),
    ...hardwareSources(files, exec, settings, sharesKernel, seen),
    units,
    ...watchedProcessesOf(processes, files, settings),
    activityOf(files, processes, units, settings, !sharesKernel),
  ].map(withinLimits);
}

/**
 * The same for macOS: at most six children a reading, and one more once an hour. Pressure, temperatures and containers
 * do not exist there.
 */
export function darwinSources(files: Files, exec: Exec, runtime: Runtime, settings: SourceSettings): Source[] {
  const processes = processSourceDarwin(exec, files, runtime);
  const units = unitSourceDarwin(exec);
  return [
    systemSourceDarwin(exec, runtime, settings),
    cpuSourceDarwin(runtime),
    memorySourceDarwin(exec, runtime),
    loadSourceDarwin(runtime),
    filesystemSourceDarwin(files, spaceReader(), exec),
    diskIoSourceDarwin(exec),
    networkSourceDarwin(exec),
    processes,
    connectionSourceDarwin(exec),
    units,
    ...watchedProcessesOf(processes, files, settings),
    activityOf(files, processes, units, settings, false),
  ].map(withinLimits);
}

const runtimeOf = ({ containerSocket }: SourceSettings): ContainerRuntime | null =>
  containerSocket == null ? null : containerRuntime(containerSocket, unixRequest);

const watchedProcessesOf = (processes: ProcessSource, files: Files, { watchedProcesses }: SourceSettings): Source[] =>
  watchedProcesses.length === 0
    ? []
    : [watchedProcessSource(watchedProcesses, () => processes.seen(), hiddenProcesses(files))];

function activityOf(
  files: Files,
  processes: ProcessSource,
  units: UnitSource,
  settings: SourceSettings,
  countsKills: boolean,
): Source {
  return activitySource({
    files,
    processes: () => processes.seen(),
    units: () => units.seen(),
    watchedProcesses: settings.watchedProcesses,
    watchedFiles: settings.watchedFiles.map((path) => path.slice(1)),
    version: settings.collectorVersion,
    countsKills,
  });
}

type SourcesHealth = AgentPart['sources'];
/** A report before the spool gives it its number, and the health of what made it. */
export interface Collected {
  report: Omit<Report, 'seq' | 'agent'>;
  sources: SourcesHealth;
}

/** Longest text of one source's error. */
const ERROR_LENGTH = 300;

/**
 * Reads all sources, one after the other so that each one's duration is its own. One that fails is named in the
 * report with its reason; the others' parts go out. `milliseconds` is any steadily growing clock.
 */
export async function collect(
  sources: readonly Source[],
  now: Moment,
  windowSeconds: number | null,
  milliseconds: () => number,
): Promise<Collected> {
  let parts: Part = {};
  const health: SourcesHealth = {};
  for (const source of sources) {
    const started = milliseconds();
    const outcome = await attempt(source, now);
    parts = { ...parts, ...outcome.part };
    const duration_ms = Math.round((milliseconds() - started) * 1000) / 1000;
    health[source.name] = { ok: outcome.ok, duration_ms, error: outcome.error };
  }
  return {
    report: redactReport({ ts: now.ts, up: now.up, kind: 'host', window_seconds: windowSeconds, ...parts }),
    sources: redactSources(health),
  };
}

/** Reads once, so that the first report has rates. The reading is not sent; that report carries any error. */
export async function prime(sources: readonly Source[], now: Moment): Promise<void> {
  for (const source of sources) if (source.instant !== true) await attempt(source, now);
}

async function attempt(source: Source, now: Moment): Promise<{ part: Part; ok: boolean; error: string | null }> {
  try {
    const { part, note } = await source.read(now);
    return { part, ok: true, error: note?.slice(0, ERROR_LENGTH) ?? null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { part: {}, ok: false, error: reason.slice(0, ERROR_LENGTH) };
  }
}
