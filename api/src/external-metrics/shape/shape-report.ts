import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import { isVisible, ownValue } from '@plimsoll/contract/rules/printable-text';
import type { DiskPart, Report, SourceHealth, SystemPart } from '@plimsoll/contract/wire/report';
import { MOST } from '@plimsoll/contract/wire/number-bounds';
import { figureKey } from '../collect-readings.ts';
import { countedDisks } from '../counted-devices.ts';
import type { Figures } from '../figures.ts';
import { ALL_CPUS, cpusOf, shapeCpu } from './shape-cpu.ts';
import { shapeInterfaces } from './shape-interfaces.ts';
import { IMPOSSIBLE, possibleBoot, possibleCores, possibleParts } from '../possible-parts.ts';
import { shapeHardware } from './shape-hardware.ts';
import { shapeFilesystems } from './shape-filesystems.ts';
import { shapeMemory } from './shape-memory.ts';
import { shapePressure } from './shape-pressure.ts';
import type { MetricSource } from '../types.ts';

type Parts = Omit<Report, 'seq' | 'ts' | 'up' | 'kind'>;

export interface ShapedReport {
  parts: Parts;
  /** Epoch seconds of the boot; null: the agent does not send it. */
  bootedAt: number | null;
}

/** Parts that only our agent sends, with the reason that a screen shows in place of a figure. */
const ONLY_OURS = ['processes', 'connections', 'activity'] as const;

/** Names of the collector's sources, and the part that each measures. */
const SOURCES = {
  cpu: 'cpu',
  memory: 'memory',
  filesystem: 'filesystems',
  'disk-io': 'disks',
  network: 'interfaces',
  load: 'load',
} as const;

/**
 * Makes a report of the figures of one interval. Null: nothing in them is of a report. `note`: what is wrong with the
 * source as a whole, which the page of the server shows.
 */
export function shapeReport(figures: Figures, source: MetricSource, note: string | null = null): ShapedReport | null {
  const bootTime = figures.value('boot-time');
  const uptime = figures.value('uptime');
  const sinceBoot = uptime === null ? null : figures.at / 1000 - uptime;
  const bootedAt = possibleBoot(bootTime, figures.at / 1000) ?? possibleBoot(sinceBoot, figures.at / 1000);
  const shaped = {
    cpu: shapeCpu(figures),
    memory: shapeMemory(figures),
    filesystems: shapeFilesystems(figures),
    disks: shapeDisks(figures),
    interfaces: shapeInterfaces(figures),
    load: shapeLoad(figures),
  };
  if (Object.values(shaped).every((part) => part === undefined)) return null;
  const agent = agentOf(figures, source);
  const possible = possibleParts(defined(shaped));
  const absence = (name: keyof typeof shaped): string | null =>
    possible[name] === undefined
      ? shaped[name] === undefined
        ? missing(figures, agent.name, name)
        : IMPOSSIBLE
      : null;
  return {
    bootedAt,
    parts: {
      window_seconds: figures.windowSeconds,
      ...possible,
      ...shapeHardware(figures, possible.filesystems ?? []),
      ...defined({ pressure: shapePressure(figures) }),
      tcp: { retransmits_per_second: figures.perSecond(figureKey('tcp', 'retransmits')) },
      system: shapeSystem(figures, source, agent.version, bootedAt),
      agent: {
        version: agent.version,
        spool_bytes: null,
        spool_oldest_age_seconds: null,
        retries: 0,
        last_error: note,
        clock_skew_seconds: null,
        sources: Object.fromEntries([
          ...Object.entries(SOURCES).map(([name, part]) => [name, health(absence(part))]),
          ...ONLY_OURS.map((name) => [name, health(notSent(agent.name))]),
          ...(note === null ? [] : [['identity', health(note)] as const]),
        ]),
      },
    },
  };
}

const defined = <T extends object>(parts: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

const notSent = (agent: string): string => `${agent} does not send this; the collector of Plimsoll does`;
/** Figures that a part is made of. */
const FIGURES: Record<(typeof SOURCES)[keyof typeof SOURCES], readonly string[]> = {
  cpu: ['cpu', 'cpu-share'],
  memory: ['memory'],
  filesystems: ['filesystem'],
  disks: ['disk'],
  interfaces: ['interface'],
  load: ['load'],
};
/** Says why a part is missing. What the agent sends is not called missing. */
const missing = (figures: Figures, agent: string, part: keyof typeof FIGURES): string =>
  FIGURES[part].some((figure) => figures.labelsOf(figure).length > 0) ? UNUSED[part] : notSent(agent);
const UNUSED: Record<keyof typeof FIGURES, string> = {
  cpu: 'The agent sends too few figures of the CPU to compute its use',
  memory: 'The agent sends too few figures of the memory to compute its use',
  filesystems:
    'The agent sends no filesystem that can fill: network mounts, memory, images and read-only ones are left out',
  disks: 'The agent sends no whole disk: partitions and layers over other disks are left out',
  interfaces: 'The agent sends no interface that carries traffic of its own',
  load: 'The agent sends too few figures of the load',
};
const health = (error: string | null): SourceHealth => ({ ok: error === null, duration_ms: 0, error });

function agentOf(figures: Figures, { agent }: MetricSource): { name: string; version: string } {
  const name = agent === 'prometheus' ? 'node_exporter' : 'OpenTelemetry';
  const version = figures.labelsOf('agent-version')[0]?.[0] ?? '';
  return { name, version: `${name} ${version}`.trim() };
}

const devicesOf = (figures: Figures, figure: string): string[] =>
  [...new Set(figures.labelsOf(figure).map(([device = '']) => device))].toSorted();

function shapeDisks(figures: Figures): DiskPart[] | undefined {
  const isUsed = (device: string): boolean =>
    ['reads', 'writes'].some((what) => (figures.value(figureKey('disk', device, what)) ?? 0) > 0);
  const devices = countedDisks(devicesOf(figures, 'disk'), isUsed);
  if (devices.length === 0) return undefined;
  return devices.slice(0, REPORT_LIMITS.disks).map((device) => {
    const keyOf = (what: string): string => figureKey('disk', device, what);
    // Another disk may have the name now. What the other counters grew by says nothing then.
    const isAnew = ['reads', 'writes', 'read-bytes', 'write-bytes'].some((what) => figures.lostRate(keyOf(what)));
    const rate = (what: string): number | null => (isAnew ? null : figures.perSecond(keyOf(what)));
    return {
      device,
      read_operations_per_second: rate('reads'),
      write_operations_per_second: rate('writes'),
      read_bytes_per_second: rate('read-bytes'),
      write_bytes_per_second: rate('write-bytes'),
      busy_percent: boundedPercentOf(rate('busy-seconds'), 1),
    };
  });
}

function shapeLoad(figures: Figures): Report['load'] {
  const [one, five, fifteen] = ['one', 'five', 'fifteen'].map((what) => figures.value(figureKey('load', what)));
  return one == null || five == null || fifteen == null ? undefined : { one, five, fifteen };
}

/** As the collector calls them. macOS has no id of its own, and its kernel is Darwin. */
const SYSTEM_TYPES: Partial<Record<string, string>> = { darwin: 'macos' };
const ARCHITECTURES: Partial<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64' };

/** Each machine has this name, so the address by which it is scraped says more. */
const NO_NAME = /^localhost(?:\.localdomain)?\d*$/i;

function shapeSystem(figures: Figures, source: MetricSource, version: string, bootedAt: number | null): SystemPart {
  const [hostname = '', kind = '', kernel = '', machine = ''] = figures.labelsOf('uname')[0] ?? [];
  const [id = '', name = '', release = ''] = figures.labelsOf('os')[0] ?? [];
  const platform = kind.toLowerCase() || 'linux';
  const cpus = cpusOf(figures).filter((cpu) => cpu !== ALL_CPUS);
  return {
    hostname: isVisible(hostname) && !NO_NAME.test(hostname) ? hostname : source.name,
    platform,
    os_type: ownValue(SYSTEM_TYPES, id || platform) ?? (id || platform),
    os_name: name || kind || 'Linux',
    os_version: release,
    kernel,
    architecture: ownValue(ARCHITECTURES, machine) ?? machine,
    cpu_model: null,
    cpu_cores: possibleCores(figures.value('cores')) ?? Math.min(MOST.cpus, cpus.length),
    uptime_seconds: bootedAt === null ? null : Math.max(0, figures.at / 1000 - bootedAt),
    region: null,
    collector_version: version,
    virtualization: null,
  };
}
