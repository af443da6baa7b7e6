import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { cutText, isVisible, ownValue } from '@plimsoll/contract/rules/printable-text';
import { figureKey, metricSource, type NamedSource, type ReadingCollector } from './collect-readings.ts';
import type { Attributes, Metric, MetricsRequest, Point } from './otlp.ts';
import { ALL_CPUS } from './shape/shape-cpu.ts';
import type { FigureKey, Wanted } from './types.ts';

/** Returns the first of the attributes that is there: the conventions renamed some of them. */
type Attribute = (...names: string[]) => string;
/** Null: a report has no place for this point. */
type KeyOf = (attribute: Attribute) => FigureKey | null;

const MEMORY_STATES: Partial<Record<string, string>> = {
  used: 'used',
  free: 'free',
  buffered: 'buffers',
  buffers: 'buffers',
  cached: 'cached',
  inactive: 'inactive',
  available: 'available',
};

const of =
  (figure: string, ...parts: readonly string[]): KeyOf =>
  () =>
    figureKey(figure, ...parts);
const cpu =
  (figure: 'cpu' | 'cpu-share'): KeyOf =>
  (attribute) => {
    const mode = attribute('state', 'cpu.mode');
    const number = attribute('cpu', 'cpu.logical_number').replace(/^cpu/, '');
    return mode === '' ? null : figureKey(figure, number || ALL_CPUS, mode);
  };
const filesystemLabels = (attribute: Attribute): [device: string, mount: string, type: string] => [
  attribute('device', 'system.device'),
  attribute('mountpoint', 'system.filesystem.mountpoint'),
  attribute('type', 'system.filesystem.type'),
];
const filesystem =
  (what: (state: string) => string): KeyOf =>
  (attribute) =>
    figureKey('filesystem', ...filesystemLabels(attribute), what(attribute('state', 'system.filesystem.state')));
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
    const state = ownValue(MEMORY_STATES, attribute('state', 'system.memory.state'));
    return state === undefined ? null : figureKey('memory', state);
  },
  'system.memory.utilization': (attribute) =>
    attribute('state', 'system.memory.state') === 'used' ? figureKey('memory', 'used-share') : null,
  'system.memory.limit': of('memory', 'total'),
  'system.linux.memory.available': of('memory', 'available'),
  'system.memory.linux.available': of('memory', 'available'),
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

/** Attributes of a resource that tell machines of one host name apart. */
const APART = [
  'k8s.cluster.name',
  'k8s.cluster.uid',
  'k8s.node.name',
  'cloud.account.id',
  'cloud.region',
  'cloud.availability_zone',
  'deployment.environment',
  'deployment.environment.name',
] as const;

/** Attributes of points and of resources that the figures and facts are named by. */
const ATTRIBUTES = new Set(
  `state cpu cpu.mode cpu.logical_number device system.device mountpoint type direction disk.io.direction
   network.io.direction network.interface.name system.memory.state system.paging.state mode system.filesystem.mode
   system.filesystem.mountpoint system.filesystem.type system.filesystem.state host.id host.name host.arch os.type
   os.name os.description os.version k8s.node.uid`.split(/\s+/),
);

export const HOST_METRICS: Wanted = {
  isMetric: (name) => Object.hasOwn(METRICS, name),
  isLabel: (name) => ATTRIBUTES.has(name) || (APART as readonly string[]).includes(name),
};

function sourceOf(resource: Attributes): NamedSource | null {
  const [id = '', name = ''] = [resource.get('host.id'), resource.get('host.name')];
  const identity = isVisible(id) ? id : name;
  const source = metricSource('opentelemetry', { identity: [identity], name: isVisible(name) ? name : identity });
  // A host.id names one machine already, wherever it goes.
  if (source === null || isVisible(id)) return source;
  const apart = APART.flatMap((attribute) => {
    const value = resource.get(attribute) ?? '';
    return isVisible(value) ? [`${attribute} ${figureKey('', value).trim()}`] : [];
  });
  return { ...source, apart: cutText(apart.join(', '), EXTERNAL_METRICS_LIMITS.labelCharacters) };
}

/** Takes the figures of hosts out of an OTLP request. Returns the number of points whose resource names no host. */
export function collectHostMetrics({ resources, points, unreadable }: MetricsRequest, into: ReadingCollector): number {
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
  into.ignored += points - unreadable - wanted;
  into.unreadable += unreadable;
  return nameless;
}

function addPoint(into: ReadingCollector, source: NamedSource, { metric, point }: { metric: Metric; point: Point }) {
  const attribute: Attribute = (...names) => names.map((name) => point.attributes.get(name)).find(Boolean) ?? '';
  const key = METRICS[metric.name]?.(attribute) ?? null;
  if (key === null) into.ignored += 1;
  else if (metric.temporality === 'delta') into.addGrowth(source, key, point.value, { from: point.from, to: point.at });
  else into.addValue(source, key, point.value, point.at);
  const mode = attribute('mode', 'system.filesystem.mode');
  if (metric.name === 'system.filesystem.usage' && mode !== '')
    into.addFact(source, figureKey('filesystem-mode', ...filesystemLabels(attribute), mode), point.at);
}

/** The facts of the system that the resource holds, once a request. */
function addFacts(into: ReadingCollector, source: NamedSource, resource: Attributes, metrics: readonly Metric[]) {
  let at = 0;
  for (const { points } of metrics) for (const point of points) at = Math.max(at, point.at);
  if (at === 0) return;
  const of = (name: string): string => resource.get(name) ?? '';
  into.addFact(source, figureKey('uname', of('host.name'), of('os.type'), '', of('host.arch')), at);
  if (isVisible(of('k8s.node.uid'))) into.addFact(source, figureKey('machine-id', of('k8s.node.uid')), at);
  into.addFact(source, figureKey('os', of('os.type'), of('os.description') || of('os.name'), of('os.version')), at);
}
