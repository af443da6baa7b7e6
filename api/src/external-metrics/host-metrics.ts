import { figureKey, type ReadingCollector } from './collect-readings.ts';
import type { Attributes, Metric, MetricsRequest, Point } from './otlp.ts';
import { ALL_CPUS } from './shape-report.ts';
import type { FigureKey, MetricSource } from './types.ts';

/** Returns the first of the attributes that is there: the conventions renamed some of them. */
type Attribute = (...names: string[]) => string;
/** Null: a report has no place for this point. */
type KeyOf = (attribute: Attribute) => FigureKey | null;

const CPU_MODES: Partial<Record<string, string>> = {
  user: 'user',
  system: 'system',
  idle: 'idle',
  nice: 'nice',
  softirq: 'softirq',
  steal: 'steal',
  interrupt: 'irq',
  wait: 'iowait',
  iowait: 'iowait',
};
const MEMORY_STATES: Partial<Record<string, string>> = {
  used: 'used',
  free: 'free',
  buffered: 'buffers',
  buffers: 'buffers',
  cached: 'cached',
};

const of =
  (figure: string, ...parts: readonly string[]): KeyOf =>
  () =>
    figureKey(figure, ...parts);
const cpu =
  (figure: 'cpu' | 'cpu-share'): KeyOf =>
  (attribute) => {
    const mode = CPU_MODES[attribute('state', 'cpu.mode')];
    const number = attribute('cpu', 'cpu.logical_number').replace(/^cpu/, '');
    return mode === undefined ? null : figureKey(figure, number || ALL_CPUS, mode);
  };
const filesystem =
  (what: (state: string) => string): KeyOf =>
  (attribute) =>
    figureKey(
      'filesystem',
      attribute('device', 'system.device'),
      attribute('mountpoint', 'system.filesystem.mountpoint'),
      attribute('type', 'system.filesystem.type'),
      what(attribute('state', 'system.filesystem.state')),
    );
const disk =
  (what: Record<'read' | 'write', string>): KeyOf =>
  (attribute) => {
    const direction = attribute('direction', 'disk.io.direction');
    if (direction !== 'read' && direction !== 'write') return null;
    return figureKey('disk', attribute('device', 'system.device'), what[direction]);
  };
const networkInterface =
  (what: string): KeyOf =>
  (attribute) => {
    const direction = attribute('direction', 'network.io.direction');
    if (direction !== 'receive' && direction !== 'transmit') return null;
    return figureKey(
      'interface',
      attribute('device', 'network.interface.name', 'system.device'),
      `${direction}-${what}`,
    );
  };

/** Metrics of the host metrics receiver that a report has a place for. */
const METRICS: Partial<Record<string, KeyOf>> = {
  'system.cpu.time': cpu('cpu'),
  'system.cpu.utilization': cpu('cpu-share'),
  'system.cpu.logical.count': of('cores'),
  'system.cpu.load_average.1m': of('load', 'one'),
  'system.cpu.load_average.5m': of('load', 'five'),
  'system.cpu.load_average.15m': of('load', 'fifteen'),
  'system.memory.usage': (attribute) => {
    const state = MEMORY_STATES[attribute('state', 'system.memory.state')];
    return state === undefined ? null : figureKey('memory', state);
  },
  'system.memory.limit': of('memory', 'total'),
  'system.linux.memory.available': of('memory', 'available'),
  'system.paging.usage': (attribute) =>
    figureKey('swap-device', attribute('device', 'system.device'), attribute('state', 'system.paging.state')),
  'system.filesystem.usage': filesystem((state) => state),
  'system.filesystem.inodes.usage': filesystem((state) => `inodes-${state}`),
  'system.disk.operations': disk({ read: 'reads', write: 'writes' }),
  'system.disk.io': disk({ read: 'read-bytes', write: 'write-bytes' }),
  'system.disk.io_time': (attribute) => figureKey('disk', attribute('device', 'system.device'), 'busy-seconds'),
  'system.network.io': networkInterface('bytes'),
  'system.network.errors': networkInterface('errors'),
  'system.network.dropped': networkInterface('drops'),
  'system.network.packet.dropped': networkInterface('drops'),
  'system.uptime': of('uptime'),
};

export const isHostMetric = (name: string): boolean => Object.hasOwn(METRICS, name);

function sourceOf(resource: Attributes): MetricSource | null {
  const [id, name] = [resource.get('host.id'), resource.get('host.name')];
  const identity = id || name;
  return identity ? { agent: 'opentelemetry', identity: figureKey(identity), name: figureKey(name || identity) } : null;
}

/** Takes the figures of hosts out of an OTLP request. Returns the number of points whose resource names no host. */
export function collectHostMetrics({ resources, points }: MetricsRequest, into: ReadingCollector): number {
  let [wanted, nameless] = [0, 0];
  for (const { attributes, metrics } of resources) {
    const source = sourceOf(attributes);
    for (const metric of metrics) {
      wanted += metric.points.length;
      if (source === null) nameless += metric.points.length;
      else for (const point of metric.points) addPoint(into, source, { metric, point });
    }
    if (source !== null) addFacts(into, source, attributes, metrics);
  }
  into.ignored += points - wanted;
  return nameless;
}

function addPoint(into: ReadingCollector, source: MetricSource, { metric, point }: { metric: Metric; point: Point }) {
  const attribute: Attribute = (...names) => names.map((name) => point.attributes.get(name)).find(Boolean) ?? '';
  const key = METRICS[metric.name]?.(attribute) ?? null;
  if (key === null) into.ignored += 1;
  else if (metric.temporality === 'delta') into.addGrowth(source, key, point.value, { from: point.from, to: point.at });
  else into.addValue(source, key, point.value, point.at);
}

/** The facts of the system that the resource holds, once a request. */
function addFacts(into: ReadingCollector, source: MetricSource, resource: Attributes, metrics: readonly Metric[]) {
  const at = metrics.flatMap(({ points }) => points).reduce((newest, point) => Math.max(newest, point.at), 0);
  if (at === 0) return;
  const of = (name: string): string => resource.get(name) ?? '';
  into.addFact(source, figureKey('uname', of('host.name'), of('os.type'), '', of('host.arch')), at);
  into.addFact(source, figureKey('os', of('os.type'), of('os.description') || of('os.name'), of('os.version')), at);
}
