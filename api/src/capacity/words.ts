import { ownValue } from '@plimsoll/contract/rules/printable-text';
import type { Refusal } from './scheduler/model.ts';
import type { Plugin } from './scheduler/types.ts';

const RESOURCES: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  memory: 'memory',
  pods: 'number of pods',
  'ephemeral-storage': 'local disk',
};
const PLUGINS: Readonly<Record<Plugin, string>> = {
  NodeUnschedulable: 'cordoned nodes',
  TaintToleration: 'taints of the nodes',
  NodeAffinity: 'node selector or affinity',
  NodePorts: 'host ports',
  NodeResourcesFit: 'resources',
  VolumeBinding: 'nodes of its volume',
  PodTopologySpread: 'topology spread',
  InterPodAffinity: 'pod affinity',
};

/** Returns what a node lacks for a pod, in the words of the Capacity page. */
export const limitWords = ({ plugin, resource }: Refusal): string =>
  resource === null ? PLUGINS[plugin] : (ownValue(RESOURCES, resource) ?? resource);

export const counted = (count: number, one: string): string => `${String(count)} ${count === 1 ? one : `${one}s`}`;
