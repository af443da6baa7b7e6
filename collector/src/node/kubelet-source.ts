import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import { FIGURE_LIMITS, type NodeAgentMode } from '@plimsoll/contract/rules/kubernetes-limits';
import type { FilesystemPart, MemoryPart } from '@plimsoll/contract/wire/report';
import type { Part, Source, Taken } from '../source.ts';
import { KubeletError } from './kubelet.ts';
import { type Counters, type Summary, type Usage, usageOf } from './summary.ts';

export interface KubeletSourceOptions {
  nodeName: string;
  mode: NodeAgentMode;
  tlsVerified: boolean;
  read: () => Promise<Summary>;
  /** "namespace:name" of the agent's service account; null: not known. */
  serviceAccount: () => string | null;
  /** Cores of the node, for its CPU in per cent; mode kubelet only. */
  cores: number;
}

/**
 * Pods, volumes and the node as the kubelet counts them. The kubelet's state is part of the report: when it fails, the rest
 * of the report goes out and says why. In mode kubelet it also stands in for the host sources.
 */
export function kubeletSource(options: KubeletSourceOptions): Source {
  let counters: Counters = new Map();
  let state: ReaderStatePart['state'] = 'starting';
  let since = 0;
  const enter = (next: ReaderStatePart['state'], now: number): void => {
    if (next !== state) since = now;
    state = next;
  };
  const partOf = (detail: string | null, usage: Usage | null): NodePart => ({
    node_name: options.nodeName,
    mode: options.mode,
    kubelet: {
      name: 'kubelet stats/summary',
      state,
      detail,
      since,
      needs: 'get nodes/stats',
      service_account: options.serviceAccount(),
      ...(usage && usage.leftOut.length > 0 ? { left_out: usage.leftOut } : {}),
    },
    kubelet_tls_verified: options.tlsVerified,
    node: usage?.node ?? null,
    pods: usage?.pods ?? [],
    volumes: usage?.volumes ?? [],
  });
  return {
    name: 'kubelet',
    read: async ({ ts }): Promise<Taken> => {
      try {
        const read = usageOf(await options.read(), counters);
        counters = read.counters;
        enter('ok', ts);
        return { part: { kubernetes: partOf(null, read.usage), ...hostParts(options, read.usage) } };
      } catch (error) {
        enter(error instanceof KubeletError ? error.state : 'down', ts);
        const detail = error instanceof Error ? error.message : String(error);
        return { part: { kubernetes: partOf(detail, null) }, note: detail };
      }
    },
  };
}

function hostParts({ mode, cores }: KubeletSourceOptions, { node, swap }: Usage): Part {
  const filesystems = filesystemsOf(node);
  if (mode !== 'kubelet') return filesystems;
  const percent = boundedPercentOf(node.cpu_cores, cores);
  const unknown = { io_wait_percent: null, steal_percent: null, user_percent: null, system_percent: null };
  return { ...filesystems, ...memoryOf(node, swap), cpu: { percent, ...unknown, per_core_percent: [] } };
}

/**
 * The kubelet counts what it may still hand out: working set plus available is the whole. One that says nothing of swap
 * does not start on a node that has it (failSwapOn), so there is none.
 */
function memoryOf(node: Usage['node'], swap: Usage['swap']): { memory?: MemoryPart } {
  const { memory_working_set_bytes: used, memory_available_bytes: available } = node;
  if (used === null || available === null) return {};
  const total = used + available;
  if (total > FIGURE_LIMITS.bytes) return {};
  return {
    memory: {
      total_bytes: total,
      available_bytes: available,
      used_bytes: used,
      swap_total_bytes: swap?.total ?? 0,
      swap_used_bytes: swap?.used ?? 0,
    },
  };
}

/** The node's disk comes from here in every mode, so that the root of the host is never mounted. */
function filesystemsOf(node: Usage['node']): { filesystems?: FilesystemPart[] } {
  const { filesystem_capacity_bytes: size, filesystem_available_bytes: available, filesystem_used_bytes: used } = node;
  if (size === null || available === null || used === null) return {};
  return {
    filesystems: [
      {
        mount: '/',
        device: 'kubelet',
        type: 'nodefs',
        size_bytes: size,
        used_bytes: used,
        available_bytes: available,
        inodes_total: null,
        inodes_used: null,
      },
    ],
  };
}
