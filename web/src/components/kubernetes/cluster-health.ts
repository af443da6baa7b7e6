import type { ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import { LOAD_LINES } from '@plimsoll/contract/rules/limits';
import { isCollectorSilent, type Reported, silentClusters } from './collector-age.ts';

export type ClusterHealth = 'Healthy' | 'Degraded' | 'Warning' | 'Critical' | 'Unknown';
type Figures = Pick<
  ClusterOverviewAnswer,
  'total_nodes' | 'ready_nodes' | 'failed_pods' | 'crash_looping_pods' | 'aggregate_metrics' | 'causes' | 'age_seconds'
> &
  Partial<Pick<ClusterOverviewAnswer, 'degraded'>> &
  Reported;

/** From this per cent on CPU or memory is a warning. */
export const HEALTH_LINE = LOAD_LINES.cpu.warning;
/** As many names as a sentence carries. */
const NAMED = 3;

const averages = ({ aggregate_metrics: { avg_cpu_usage: cpu, avg_memory_usage: memory } }: Figures) => [
  { name: 'CPU', value: cpu },
  { name: 'memory', value: memory },
];

/**
 * Unknown: no collector reports. Critical: a node is not ready or a pod has failed. Warning: CPU or memory at 80 or more, or
 * not known, or one of several clusters is silent. Degraded replaces only Healthy: pods that crash-loop, cannot pull an image
 * or cannot be created, or replicas missing for 15 minutes.
 */
export function clusterHealth(figures: Figures): ClusterHealth {
  if (isCollectorSilent(figures)) return 'Unknown';
  if (figures.ready_nodes < figures.total_nodes || figures.failed_pods > 0) return 'Critical';
  const calm = averages(figures).every(({ value }) => value !== null && value < HEALTH_LINE);
  if (!calm || silentClusters(figures).length > 0) return 'Warning';
  return (figures.degraded ?? []).length === 0 ? 'Healthy' : 'Degraded';
}

const withReason = (name: string, reason: string | null) => (reason === null ? name : `${name} (${reason})`);
function named(names: readonly string[], total: number): string {
  const shown = names.slice(0, NAMED);
  if (shown.length === 0) return '';
  return `: ${shown.join(', ')}${total > shown.length ? ` and ${total - shown.length} more` : ''}`;
}

/** Returns "2 pods crash-looping", or null. Health is computed from phases, and such a pod has the phase Running. */
export function crashLooping({
  crash_looping_pods: count = 0,
}: Pick<Figures, 'crash_looping_pods' | 'failed_pods'>): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? 'pod' : 'pods'} crash-looping`;
}

const DEGRADED_WORDS = {
  image_pull: { of: 'pod', does: 'cannot pull an image' },
  not_created: { of: 'pod', does: 'cannot be created' },
  replicas_missing: { of: 'workload', does: 'without all replicas for 15 minutes' },
} as const;

/** Crash loops have a sentence of their own, which names them where other health words stand too. */
const degradedWords = ({ degraded = [] }: Figures): string[] =>
  degraded.flatMap(({ kind, count, examples }) => {
    if (kind === 'crash_looping') return [];
    const { of, does } = DEGRADED_WORDS[kind];
    return [
      `${count} ${count === 1 ? of : `${of}s`} ${does}${named(
        examples.map(({ name }) => name),
        count,
      )}.`,
    ];
  });

function troubles(figures: Figures): string[] {
  const { causes } = figures;
  const notReady = figures.total_nodes - figures.ready_nodes;
  const sentences: string[] = [];
  if (notReady > 0) {
    const names = causes.not_ready_nodes.map((node) => withReason(node.node_name, node.reason));
    sentences.push(`${notReady} ${notReady === 1 ? 'node' : 'nodes'} not ready${named(names, notReady)}.`);
  }
  if (figures.failed_pods > 0) {
    const names = causes.failed_pods.map((pod) => withReason(pod.pod_name, pod.reason));
    const pods = figures.failed_pods === 1 ? 'pod' : 'pods';
    sentences.push(`${figures.failed_pods} ${pods} failed${named(names, figures.failed_pods)}.`);
  }
  const looping = crashLooping(figures);
  if (looping !== null)
    sentences.push(
      `${looping}${named(
        (causes.crash_looping_pods ?? []).map((pod) => pod.pod_name),
        figures.crash_looping_pods ?? 0,
      )}.`,
    );
  sentences.push(...degradedWords(figures));
  const silent = silentClusters(figures);
  if (silent.length > 0)
    sentences.push(
      `${silent.length} ${silent.length === 1 ? 'cluster is' : 'clusters are'} silent${named(silent, silent.length)}: the present state there is not known.`,
    );
  for (const { name, value } of averages(figures)) {
    if (value !== null && value >= HEALTH_LINE)
      sentences.push(`Average ${name} ${Math.round(value)} %, over the line.`);
  }
  return sentences;
}

/** Why the health is what it is: the troubles by name, then what is well, then what is not known. */
export function healthReasons(figures: Figures): string {
  if (isCollectorSilent(figures)) return 'The cluster collector is silent: the present state is not known.';
  const known = averages(figures).filter(({ value }) => value !== null);
  const below = known.filter(({ value }) => value !== null && value < HEALTH_LINE).map(({ name }) => name);
  const fine = [
    figures.ready_nodes === figures.total_nodes ? 'All nodes ready' : null,
    // Average of the nodes: one of them may be over its line, which the list of nodes shows.
    below.length > 0 ? `average ${below.join(' and ')} below the line` : null,
  ].filter((words) => words !== null);
  const sentences = troubles(figures);
  if (fine.length > 0) sentences.push(`${fine.join(', ')}.`.replace(/^a/, 'A'));
  if (known.length === 0) sentences.push('No usage reported.');
  return sentences.join(' ');
}
