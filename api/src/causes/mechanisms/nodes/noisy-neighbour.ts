import { nameOf, objectEntity, workloadRefOf } from '../../entities.ts';
import type { NodeSeen, PodSeen } from '../../evidence.ts';
import { clock, fixed } from '../../figures.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { shiftOf } from '../../shift.ts';

/** Per cent of a node's CPU from which its pods starve. */
const SATURATED = 85;
/** Share of the node's cores that one pod must have taken. */
const SHARE = 0.25;

/** A pod takes the CPU of its node, and the others starve. */
export const noisyNeighbour: Mechanism = {
  id: 'noisy_neighbour',
  title: 'Noisy neighbour',
  needs: ['nodes'],
  recognise: (moment) =>
    moment.evidence.nodes.flatMap((node): Candidate[] => {
      const cpu = shiftOf(node.cpu, moment.lastAt);
      if (cpu === null || Math.max(cpu.is, cpu.last) < SATURATED) return [];
      const by = riserOf(node, moment);
      const nodeEntity = objectEntity({ clusterId: node.clusterId, namespace: null, kind: 'Node', name: node.name });
      const main = by === null ? nodeEntity : objectEntity(workloadRefOf(by.pod));
      const isLimited = by?.pod.containers.some(({ cpuLimitCores }) => cpuLimitCores !== null) === true;
      return [
        {
          entities: [main],
          reaches: [nodeEntity],
          finding:
            by === null
              ? `The node ${node.name} has no CPU left for its pods.`
              : `${by.pod.namespace}/${by.pod.name} takes the CPU of the node ${node.name}, and others starve.`,
          since: by?.onset ?? cpu.onset,
          specificity: by === null ? 'state' : 'broken',
          brings: ['failing', 'crash', 'missing', 'cpu', 'load', 'node'],
          evidence: [
            `CPU of the node ${fixed(cpu.was)} % → ${fixed(cpu.is)} % since ${clock(cpu.onset)}`,
            by !== null &&
              `${by.pod.name} uses ${fixed(by.is)} of ${fixed(node.cores ?? 0, 0)} cores${isLimited ? '' : ', without a CPU limit'}`,
          ],
          next: `Give ${by === null ? 'its pods' : nameOf(main)} a CPU limit or another node.`,
        },
      ];
    }),
};

function riserOf(node: NodeSeen, moment: Moment): { pod: PodSeen; is: number; onset: number } | null {
  const risen = moment.evidence.pods
    .filter((pod) => pod.node === node.name && pod.clusterId === node.clusterId)
    .flatMap((pod) => {
      const use = shiftOf(pod.cpuCores, moment.lastAt);
      const known = pod.cpuCores.filter(({ value }) => value !== null);
      const is = use === null ? (known.at(-1)?.value ?? 0) : Math.max(use.is, use.last);
      const was = use === null ? 0 : use.was;
      return is >= SHARE * (node.cores ?? Infinity)
        ? [{ pod, is, rise: is - was, onset: use?.onset ?? pod.createdAt }]
        : [];
    })
    .toSorted((a, b) => b.rise - a.rise || (a.pod.name < b.pod.name ? -1 : 1));
  return risen[0] ?? null;
}
