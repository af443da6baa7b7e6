import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { State } from './compare-states.ts';

/** Kind under which nodes are described. Reports carry nodes anyway, so the collector describes none. */
export const NODE_KIND = 'Node';
const FORM = 1;
/** Labels that follow from other fields, or that the cloud renews. */
const NOISY_LABELS = /^(?:beta\.kubernetes\.io|kubernetes\.io\/hostname$|volumes\.kubernetes\.io)/;

const texts = (entries: readonly [string, string | null][]): Record<string, string> =>
  Object.fromEntries(entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

/** Returns the fields of a node whose change matters. */
export const describeNode = (node: NodeObject): State => ({
  form: FORM,
  fields: texts([
    ['cordoned', node.unschedulable ? 'yes' : 'no'],
    ['kubeletVersion', node.kubelet_version],
    ['kernel', node.kernel],
    ['osImage', node.os_image],
    ['containerRuntime', node.container_runtime],
    ['bootId', node.boot_id],
    ...node.taints.map((taint): [string, string] => {
      const [key = taint, effect = ''] = taint.split(/:(?=[^:]*$)/);
      return [`taints.${key}:${effect}`, effect];
    }),
    ...Object.entries(node.labels)
      .filter(([name]) => !NOISY_LABELS.test(name))
      .map(([name, value]): [string, string] => [`labels.${name}`, value]),
  ]),
});
