import { boundsOf, usageOf, usageTerms, type Asked, type Plan } from './asked.ts';
import type { Term } from './words.ts';

const lowest = ({ order, threshold }: Asked): 'lowest' | undefined =>
  order === 'lowest' || threshold?.side === 'under' ? 'lowest' : undefined;
/** Pods use cores and bytes: a limit without a unit, or with that of another figure, is none of theirs. */
const takesSize = ({ threshold }: Asked, usage: 'cpu' | 'memory' | null): boolean =>
  usage !== null && threshold?.unit === (usage === 'cpu' ? 'cores' : 'mb');

/** States in which a container waits, by the words for them. */
const REASONS: readonly (readonly [words: RegExp, reasons: readonly string[]])[] = [
  [/^crashloop/, ['CrashLoopBackOff']],
  [/^imagepull|^errimagepull/, ['ImagePullBackOff', 'ErrImagePull']],
];
const reasonsOf = ({ has, words }: Asked): readonly string[] | undefined =>
  has('pod_reason') ? REASONS.find(([known]) => words.some((word) => known.test(word)))?.[1] : undefined;

function podPlan(asked: Asked): Plan {
  const { has, namespace, names } = asked;
  const phase = has('pending')
    ? 'Pending'
    : has('failed')
      ? 'Failed'
      : has('running') && !has('not')
        ? 'Running'
        : undefined;
  const isUnwell = phase === undefined && has('not', 'broken') && has('running', 'ready', 'health', 'broken');
  const usage = usageOf(asked);
  const by = usage ?? (isUnwell && !has('restarts') ? 'state' : 'restarts');
  return {
    subject: 'pods',
    tool: 'rank_pods',
    input: {
      by,
      namespace,
      phase,
      reasons: reasonsOf(asked),
      unhealthy: isUnwell ? true : undefined,
      order: lowest(asked),
      ...(takesSize(asked, usage) && boundsOf(asked.threshold)),
      ...placeOf(asked),
    },
    reads: [
      ...([
        'pod',
        'pod_reason',
        'namespace',
        'cluster',
        'total',
        'top',
        'least',
        'pending',
        'failed',
        'running',
        'broken',
      ] satisfies Term[]),
      ...(usage === null ? (['restarts', 'oom'] as const) : usageTerms(asked)),
      ...(has('consume') && usage !== null ? (['consume'] as const) : []),
      ...(isUnwell ? (['not', 'ready', 'health'] as const) : []),
      ...(has('node') && names.length > 0 ? (['node'] as const) : []),
    ],
    takes: ['namespace', 'names', ...(takesSize(asked, usage) ? (['size'] as const) : [])],
  };
}
/** "pods on node worker-1", "memory of pod checkout-6f7d". */
const placeOf = ({ has, names, words }: Asked): Record<string, unknown> =>
  has('node') || isBehind(words, names[0], 'on')
    ? { node: names[0] }
    : isBehind(words, names[0], 'in')
      ? { namespace: names[0] }
      : { search: names[0] };
const isBehind = (words: readonly string[], name: string | undefined, before: string): boolean =>
  name !== undefined && words[words.indexOf(name) - 1] === before;

function nodePlan(asked: Asked): Plan {
  const { has, names } = asked;
  const isState = has('ready', 'health', 'offline', 'online');
  const ready = isState ? !has('not', 'offline') : undefined;
  const usage = usageOf(asked);
  const by = usage ?? (has('disk') ? 'disk' : has('pod') ? 'pods' : 'headroom');
  const isShare = by === 'cpu' || by === 'memory' || by === 'disk';
  return {
    subject: 'nodes',
    tool: 'rank_nodes',
    input: {
      by,
      order: lowest(asked),
      // A count needs all of them, ready or not, and so does one node.
      ready: asked.isCount || names.length > 0 ? undefined : ready,
      search: names[0],
      ...(isShare && boundsOf(asked.threshold)),
    },
    reads: [
      ...(['node', 'cluster', 'total', 'ready', 'health', 'offline', 'online', 'consume'] satisfies Term[]),
      ...(usage === null
        ? by === 'headroom'
          ? (['headroom', 'least'] as const)
          : (['disk', 'pod', 'top', 'least'] as const)
        : ([...usageTerms(asked), 'top', 'least'] as const)),
      ...(isState ? (['not'] as const) : []),
    ],
    takes: isShare ? ['names', 'threshold'] : ['names'],
    // "How many pods does each node have?" counts pods, and lists nodes.
    isCount: asked.isCount && by !== 'pods',
  };
}

function containerPlan(asked: Asked): Plan {
  const { has, names } = asked;
  const isBroken = has('broken', 'failed') || (has('not') && has('health', 'running'));
  const state = isBroken ? 'broken' : has('running') && !asked.isCount ? 'running' : undefined;
  const usage = usageOf(asked);
  return {
    subject: 'containers',
    tool: 'list_containers',
    input: { by: usage ?? (has('restarts') ? 'restarts' : 'worst'), state, server: names[0] },
    reads: [
      ...(['container', 'total', 'running', 'broken', 'failed', 'health', 'top', 'consume'] satisfies Term[]),
      ...(usage === null ? (['restarts'] as const) : usageTerms(asked)),
      ...(isBroken ? (['not'] as const) : []),
      ...(names.length > 0 ? (['server'] as const) : []),
    ],
    takes: ['names'],
  };
}

function workloadPlan(asked: Asked): Plan {
  const { has, namespace, names } = asked;
  const isBroken = has('broken', 'failed', 'offline') || (has('not') && has('ready', 'health', 'running', 'free'));
  const usage = usageOf(asked);
  return {
    subject: 'workloads',
    tool: 'rank_workloads',
    input: {
      by: usage ?? (isBroken ? undefined : has('restarts') ? 'restarts' : undefined),
      namespace,
      search: names[0],
      order: lowest(asked),
      unready: isBroken ? true : undefined,
    },
    reads: [
      ...([
        'workload',
        'namespace',
        'cluster',
        'pod',
        'top',
        'least',
        'consume',
        'broken',
        'failed',
        'offline',
      ] satisfies Term[]),
      ...(usage === null ? (['restarts'] as const) : usageTerms(asked)),
      ...(isBroken
        ? (['not', 'ready', 'health', 'running', ...(has('free') ? (['free'] as const) : [])] as const)
        : []),
    ],
    takes: ['names', 'namespace'],
  };
}

function wholeClusterPlan(asked: Asked): Plan {
  const { has, names, namespace } = asked;
  if (has('happened', 'warning', 'alert'))
    return {
      subject: 'kubernetes_events',
      tool: 'kubernetes_events',
      input: { namespace, ...(has('warning') && { type: 'Warning' }) },
      reads: ['cluster', 'happened', 'warning', ...(namespace === null ? [] : (['namespace'] as const))],
      takes: ['namespace'],
    };
  const usage = usageOf(asked);
  const by = usage ?? (has('pod') ? 'pods' : has('node') ? 'nodes' : 'state');
  return {
    subject: 'clusters',
    tool: 'rank_clusters',
    input: { by, search: names[0], order: lowest(asked) },
    reads: [
      ...(['cluster', 'broken', 'health', 'consume', 'failed', 'offline', 'online', 'statistics'] satisfies Term[]),
      ...(usage === null ? (['pod', 'node'] as const) : usageTerms(asked)),
      ...(by === 'state' ? (['headroom'] as const) : (['top', 'least'] as const)),
    ],
    takes: ['names'],
  };
}

function capacityPlan({ has, names }: Asked): Plan | null {
  if (has('loss') && (has('node') || names.length > 0))
    return {
      subject: 'loss',
      tool: 'without_node',
      input: { node: names[0] },
      reads: ['loss', 'node', 'not', 'cluster'],
      takes: ['names'],
    };
  if (has('capacity'))
    return {
      subject: 'capacity',
      tool: 'what_fits',
      input: { search: names[0] },
      reads: ['capacity', 'pod', 'cluster', 'workload', 'free', 'over'],
      takes: ['names'],
    };
  return null;
}

/** Plans for what runs in clusters and containers. */
export function podsPlan(asked: Asked): Plan | null {
  const { has, namespace } = asked;
  const capacity = capacityPlan(asked);
  if (capacity !== null) return capacity;
  if (has('namespace') && (namespace === null || (usageOf(asked) !== null && !has('pod', 'workload', 'top', 'least'))))
    return {
      subject: 'namespaces',
      tool: 'rank_namespaces',
      input: { by: usageOf(asked) ?? (has('restarts') ? 'restarts' : 'pods'), order: lowest(asked), namespace },
      takes: ['namespace'],
      reads: ['namespace', 'pod', 'restarts', 'top', 'least', 'consume', 'cluster', ...usageTerms(asked)],
    };
  if (has('happened') && namespace !== null && !has('alert')) return wholeClusterPlan(asked);
  if (has('container')) return containerPlan(asked);
  if (has('workload')) return workloadPlan(asked);
  // "Which cluster has the most pods?" ranks clusters.
  if (has('cluster') && (!has('pod', 'node') || (has('top', 'least') && !has('restarts'))))
    return restartsOf(asked) ?? wholeClusterPlan(asked);
  if (has('pod') && has('node') && asked.names.length > 0) return podPlan(asked);
  // Only a node and a pod can be ready, and a pod is named as one.
  const isReadyNode = has('ready') && asked.names.length > 0 && !has('pod', 'server', 'check');
  if (has('node') || isReadyNode) return nodePlan(asked);
  if (has('pod') || namespace !== null || has('oom', 'restarts', 'pod_reason'))
    return has('server') ? null : podPlan(asked);
  return null;
}
/** Returns a plan for questions such as "What restarts in the cluster?": they are about pods. */
const restartsOf = (asked: Asked): Plan | null =>
  asked.has('restarts', 'oom', 'pending', 'pod_reason') ? podPlan(asked) : null;
