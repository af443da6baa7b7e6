import type { ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import { LOAD_LINES } from '@plimsoll/contract/rules/limits';
import { isCollectorSilent } from './collector-age.ts';

export type ClusterHealth = 'Healthy' | 'Warning' | 'Critical' | 'Unknown';
type Figures = Pick<
  ClusterOverviewAnswer,
  'total_nodes' | 'ready_nodes' | 'failed_pods' | 'crash_looping_pods' | 'aggregate_metrics' | 'causes' | 'age_seconds'
>;

/** From this per cent on CPU or memory is a warning. */
export const HEALTH_LINE = LOAD_LINES.cpu.warning;
/** As many names as a sentence carries. */
const NAMED = 3;

const averages = ({ aggregate_metrics: { avg_cpu_usage: cpu, avg_memory_usage: memory } }: Figures) => [
  { name: 'CPU', value: cpu },
  { name: 'memory', value: memory },
];

/** Unknown: a collector is silent. Critical: a node is not ready or a pod has failed. Warning: CPU or memory at 80 or more, or not known. */
export function clusterHealth(figures: Figures): ClusterHealth {
  if (isCollectorSilent(figures)) return 'Unknown';
  if (figures.ready_nodes < figures.total_nodes || figures.failed_pods > 0) return 'Critical';
  const calm = averages(figures).every(({ value }) => value !== null && value < HEALTH_LINE);
  return calm ? 'Healthy' : 'Warning';
}

const withReason = (name: string, reason: string | null) => (reason === null ? name : `${name} (${reason})`);
function named(names: readonly string[], total: number): string {
  const shown = names.slice(0, NAMED);
  if (shown.length === 0) return '';
  return `: ${shown.join(', ')}${total > shown.length ? ` and ${total - shown.length} more` : ''}`;
}

/** "2 pods crash-looping"; null: none is. Health goes by phase, and the phase of such a pod is Running. */
export function crashLooping({
  crash_looping_pods: count = 0,
}: Pick<Figures, 'crash_looping_pods' | 'failed_pods'>): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? 'pod' : 'pods'} crash-looping`;
}

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
