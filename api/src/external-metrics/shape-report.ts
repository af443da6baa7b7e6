import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import type {
  CpuPart,
  DiskPart,
  FilesystemPart,
  InterfacePart,
  MemoryPart,
  Report,
  SourceHealth,
  SystemPart,
} from '@plimsoll/contract/wire/report';
import { figureKey } from './collect-readings.ts';
import { isWholeDisk, localMounts, outwardInterfaces } from './counted-devices.ts';
import type { Figures } from './figures.ts';
import type { MetricSource } from './types.ts';

type Parts = Omit<Report, 'seq' | 'ts' | 'up' | 'kind'>;

export interface ShapedReport {
  parts: Parts;
  /** Epoch seconds of the boot; null: the agent does not send it. */
  bootedAt: number | null;
}

/** Parts that only our agent sends, with the reason that a screen shows in place of a figure. */
const ONLY_OURS = ['processes', 'connections', 'activity'] as const;

/** Makes a report of the figures of one interval. Null: nothing in them is of a report. */
export function shapeReport(figures: Figures, source: MetricSource): ShapedReport | null {
  const bootTime = figures.value('boot-time');
  const uptime = figures.value('uptime');
  const bootedAt = bootTime ?? (uptime === null ? null : figures.at / 1000 - uptime);
  const cpu = shapeCpu(figures);
  const memory = shapeMemory(figures);
  const filesystems = shapeFilesystems(figures);
  const disks = shapeDisks(figures);
  const interfaces = shapeInterfaces(figures);
  const load = shapeLoad(figures);
  const known = { cpu, memory, filesystem: filesystems, 'disk-io': disks, network: interfaces, load };
  if (Object.values(known).every((part) => part === undefined)) return null;
  const agent = agentOf(figures, source);
  return {
    bootedAt,
    parts: {
      window_seconds: figures.windowSeconds,
      ...defined({ cpu, memory, filesystems, disks, interfaces, load }),
      tcp: { retransmits_per_second: figures.perSecond(figureKey('tcp', 'retransmits')) },
      system: shapeSystem(figures, source, agent.version, bootedAt),
      agent: {
        version: agent.version,
        spool_bytes: null,
        spool_oldest_age_seconds: null,
        retries: 0,
        last_error: null,
        clock_skew_seconds: null,
        sources: Object.fromEntries([
          ...Object.entries(known).map(([name, part]) => [name, health(part === undefined ? agent.name : null)]),
          ...ONLY_OURS.map((name) => [name, health(agent.name)]),
        ]),
      },
    },
  };
}

const defined = <T extends object>(parts: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

const health = (absentFrom: string | null): SourceHealth => ({
  ok: absentFrom === null,
  duration_ms: 0,
  error: absentFrom === null ? null : `${absentFrom} does not send this; the collector of Plimsoll does`,
});

function agentOf(figures: Figures, { agent }: MetricSource): { name: string; version: string } {
  const name = agent === 'prometheus' ? 'node_exporter' : 'OpenTelemetry';
  const version = figures.labelsOf('agent-version')[0]?.[0] ?? '';
  return { name, version: `${name} ${version}`.trim() };
}

/** Seconds of each mode of a CPU, as the kernel counts them. */
const BUSY_MODES = ['user', 'nice', 'system', 'irq', 'softirq', 'steal'] as const;
type Mode = (typeof BUSY_MODES)[number] | 'idle' | 'iowait';
type Shares = Record<'busy' | 'ioWait' | 'steal' | 'user' | 'system', number | null>;

/** OpenTelemetry may send the sum of all CPUs, without a number. */
export const ALL_CPUS = 'all';

/** By number, the sum of all only where nothing else is known. */
function cpusOf(figures: Figures): string[] {
  const labels = [...figures.labelsOf('cpu'), ...figures.labelsOf('cpu-share')];
  const cpus = [...new Set(labels.map(([cpu = '']) => cpu))].toSorted(
    (a, b) => Number(a) - Number(b) || (a < b ? -1 : 1),
  );
  const single = cpus.filter((cpu) => cpu !== ALL_CPUS);
  return single.length > 0 ? single : cpus;
}

function shapeCpu(figures: Figures): CpuPart | undefined {
  const cpus = cpusOf(figures);
  if (cpus.length === 0) return undefined;
  const shares = cpuShares(figures, cpus);
  return {
    percent: shares.busy,
    io_wait_percent: shares.ioWait,
    steal_percent: shares.steal,
    user_percent: shares.user,
    system_percent: shares.system,
    per_core_percent:
      cpus.length > REPORT_LIMITS.cpus || cpus[0] === ALL_CPUS ? [] : cpus.map((cpu) => cpuShares(figures, [cpu]).busy),
  };
}

/** The kernel lets iowait fall back now and then (proc(5)): then only IO wait is unknown, the rest still holds. */
function cpuShares(figures: Figures, cpus: readonly string[]): Shares {
  const grown = (mode: Mode): number | null => {
    const amounts = cpus.map(
      (cpu) =>
        figures.grown(figureKey('cpu', cpu, mode))?.amount ??
        figures.value(figureKey('cpu-share', cpu, mode)) ??
        undefined,
    );
    return amounts.every((amount) => amount !== undefined) ? amounts.reduce((sum, amount) => sum + amount, 0) : null;
  };
  const [idle, ioWait] = [grown('idle'), grown('iowait')];
  const busy = BUSY_MODES.reduce((sum, mode) => sum + (grown(mode) ?? 0), 0);
  const total = idle === null ? null : busy + idle + (ioWait ?? 0);
  const share = (amount: number | null): number | null => boundedPercentOf(amount, total);
  const together = (...modes: Mode[]): number => modes.reduce((sum, mode) => sum + (grown(mode) ?? 0), 0);
  return {
    busy: share(busy),
    ioWait: share(ioWait),
    steal: share(grown('steal')),
    user: share(together('user', 'nice')),
    system: share(together('system', 'irq', 'softirq')),
  };
}

function shapeMemory(figures: Figures): MemoryPart | undefined {
  const of = (what: string): number | null => figures.value(figureKey('memory', what));
  const parts = ['used', 'free', 'buffers', 'cached'].map(of);
  const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0);
  const total = of('total') ?? (of('used') === null ? null : sum);
  if (total === null || total <= 0) return undefined;
  const estimated = of('used') === null ? null : total - (of('used') ?? 0);
  const given = of('free') === null ? null : sum - (of('used') ?? 0);
  const available = of('available') ?? estimated ?? given;
  if (available === null) return undefined;
  const free = Math.min(total, Math.max(0, available));
  const swap = (what: string): number | null => figures.value(figureKey('swap', what)) ?? sumOfSwap(figures, what);
  const swapUsed = swap('used') ?? (swap('total') ?? 0) - (swap('free') ?? swap('total') ?? 0);
  return {
    total_bytes: whole(total),
    available_bytes: whole(free),
    used_bytes: whole(total) - whole(free),
    swap_total_bytes: whole(swap('total') ?? swapUsed + (swap('free') ?? 0)),
    swap_used_bytes: whole(swapUsed),
  };
}

/** OpenTelemetry sends each device for itself. */
function sumOfSwap(figures: Figures, what: string): number | null {
  const values = figures
    .labelsOf('swap-device')
    .filter(([, state]) => state === what)
    .map((labels) => figures.value(figureKey('swap-device', ...labels)) ?? 0);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

const whole = (value: number): number => Math.round(Math.max(0, value));

function shapeFilesystems(figures: Figures): FilesystemPart[] | undefined {
  const labels = figures
    .labelsOf('filesystem')
    .map(([device = '', mount = '', type = '']) => ({ device, mount, type }));
  const distinct = new Map(labels.map((mount) => [figureKey('', mount.device, mount.mount, mount.type), mount]));
  const filesystems = localMounts([...distinct.values()]).flatMap((mount) => filesystemOf(figures, mount));
  return filesystems.length === 0 ? undefined : filesystems.slice(0, REPORT_LIMITS.filesystems);
}

function filesystemOf(
  figures: Figures,
  { device, mount, type }: { device: string; mount: string; type: string },
): FilesystemPart[] {
  const of = (what: string): number | null => figures.value(figureKey('filesystem', device, mount, type, what));
  const used = of('used');
  const size = of('size') ?? (used === null ? null : used + (of('free') ?? 0) + (of('reserved') ?? 0));
  const free = of('free');
  if (size === null || free === null || size <= 0) return [];
  const inodes = of('inodes') ?? (of('inodes-used') ?? 0) + (of('inodes-free') ?? 0);
  const inodesFree = of('inodes-free');
  return [
    {
      device,
      mount,
      type,
      size_bytes: whole(size),
      used_bytes: whole(used ?? size - free),
      available_bytes: whole(of('available') ?? free),
      // btrfs and some others have no fixed number of inodes: 0 there means "no such figure".
      inodes_total: inodes > 0 ? whole(inodes) : null,
      inodes_used: inodes > 0 && inodesFree !== null ? whole(inodes - inodesFree) : null,
    },
  ];
}

const devicesOf = (figures: Figures, figure: string): string[] =>
  [...new Set(figures.labelsOf(figure).map(([device = '']) => device))].toSorted();

function shapeDisks(figures: Figures): DiskPart[] | undefined {
  const devices = devicesOf(figures, 'disk').filter(isWholeDisk);
  if (devices.length === 0) return undefined;
  return devices.slice(0, REPORT_LIMITS.disks).map((device) => {
    const rate = (what: string): number | null => figures.perSecond(figureKey('disk', device, what));
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

function shapeInterfaces(figures: Figures): InterfacePart[] | undefined {
  const names = outwardInterfaces(devicesOf(figures, 'interface'));
  if (names.length === 0) return undefined;
  return names.slice(0, REPORT_LIMITS.interfaces).map((name) => {
    const rate = (what: string): number | null => figures.perSecond(figureKey('interface', name, what));
    const up = figures.value(figureKey('interface', name, 'up'));
    return {
      name,
      receive_bytes_per_second: rate('receive-bytes'),
      transmit_bytes_per_second: rate('transmit-bytes'),
      receive_errors_per_second: rate('receive-errors'),
      transmit_errors_per_second: rate('transmit-errors'),
      receive_drops_per_second: rate('receive-drops'),
      transmit_drops_per_second: rate('transmit-drops'),
      up: up === null ? null : up > 0,
    };
  });
}

function shapeLoad(figures: Figures): Report['load'] {
  const [one, five, fifteen] = ['one', 'five', 'fifteen'].map((what) => figures.value(figureKey('load', what)));
  return one == null || five == null || fifteen == null ? undefined : { one, five, fifteen };
}

/** As the collector calls them. */
const ARCHITECTURES: Partial<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64' };

function shapeSystem(figures: Figures, source: MetricSource, version: string, bootedAt: number | null): SystemPart {
  const [hostname = '', kind = '', kernel = '', machine = ''] = figures.labelsOf('uname')[0] ?? [];
  const [id = '', name = '', release = ''] = figures.labelsOf('os')[0] ?? [];
  const platform = kind.toLowerCase() || 'linux';
  return {
    hostname: hostname || source.name,
    platform,
    os_type: id || platform,
    os_name: name || kind || 'Linux',
    os_version: release,
    kernel,
    architecture: ARCHITECTURES[machine] ?? machine,
    cpu_model: null,
    cpu_cores: figures.value('cores') ?? cpusOf(figures).filter((cpu) => cpu !== ALL_CPUS).length,
    uptime_seconds: bootedAt === null ? null : Math.max(0, figures.at / 1000 - bootedAt),
    region: null,
    collector_version: version,
    virtualization: null,
  };
}
