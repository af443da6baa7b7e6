import { objectEntity } from '../../entities.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import { describeCommand } from '../../workload-states.ts';

/** The control plane lost a node: its pods are victims. */
export const nodeDown: Mechanism = {
  id: 'node_not_ready',
  title: 'Node is not ready',
  needs: ['nodes'],
  recognise: ({ evidence, workloads }) =>
    evidence.nodes.flatMap((node): Candidate[] => {
      if (node.ready === true) return [];
      const ready = node.conditions.find(({ type }) => type === 'Ready');
      const entity = objectEntity({ clusterId: node.clusterId, namespace: null, kind: 'Node', name: node.name });
      const pods = workloads.filter(
        ({ ref, events }) =>
          ref.clusterId === node.clusterId &&
          events.some(
            ({ reason, message }) =>
              /^(?:NodeNotReady|TaintManagerEviction)$/.test(reason) ||
              message.includes('not-ready') ||
              message.includes('unreachable'),
          ),
      );
      return [
        {
          entities: [entity],
          reaches: pods.map((one) => one.entity),
          finding:
            node.ready === false
              ? `The node ${node.name} is not ready.`
              : `The control plane has lost the node ${node.name}.`,
          since: ready?.since ?? null,
          specificity: 'stated',
          brings: ['node', 'missing', 'failing', 'crash', 'silent', 'start'],
          is: 'node',
          evidence: [ready?.message != null && quoted(ready.message), `Ready: ${ready?.status ?? 'unknown'}`],
          next: 'Check whether the machine answers, then its kubelet.',
          command: describeCommand('node', null, node.name),
        },
      ];
    }),
};
