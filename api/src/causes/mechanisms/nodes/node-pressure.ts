import { nameOf, objectEntity, workloadRefOf } from '../../entities.ts';
import type { EventSeen, NodeSeen, PodSeen } from '../../evidence.ts';
import { fixed, HOUR } from '../../figures.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { shiftOf } from '../../shift.ts';
import { quoted } from '../../words.ts';
import { describeCommand } from '../../workload-states.ts';

const PRESSURE = /^(MemoryPressure|DiskPressure|PIDPressure)$/;
const STARVED = /The node was low on resource: ([\w-]+)/;
const USING = /Container (\S{1,253}) was using (\w+), request is (\w+)/g;

/** Something fills a node, and others must go. The one that took most is the cause. */
export const nodePressure: Mechanism = {
  id: 'node_under_pressure',
  title: 'Node under pressure',
  needs: ['nodes'],
  recognise: (moment) =>
    moment.evidence.nodes.flatMap((node): Candidate[] => {
      const condition = node.conditions.find(({ type, status }) => PRESSURE.test(type) && status === 'True');
      const evictions = moment.evidence.events.filter(
        (event) =>
          event.clusterId === node.clusterId &&
          (event.reason === 'Evicted' || event.reason === 'SystemOOM' || event.reason === 'EvictionThresholdMet') &&
          event.lastAt > moment.firstAt - HOUR &&
          isOnNode(event, node, moment),
      );
      const isOver = condition !== undefined || evictions.length > 0;
      if (!isOver) return [];
      const resource =
        evictions.map(({ message }) => STARVED.exec(message)?.[1]).find((one) => one !== undefined) ??
        (condition?.type === 'DiskPressure' ? 'ephemeral-storage' : 'memory');
      const eater = eaterOf(node, resource, evictions, moment);
      const entity = objectEntity({ clusterId: node.clusterId, namespace: null, kind: 'Node', name: node.name });
      const victims = moment.workloads.filter(
        ({ pods, events }) =>
          events.some((event) => evictions.includes(event)) ||
          pods.some((pod) => pod.node === node.name && pod.reason === 'Evicted'),
      );
      const main = eater === null ? entity : objectEntity(workloadRefOf(eater.pod));
      return [
        {
          entities: [main],
          reaches: [entity, ...victims.map((one) => one.entity)],
          finding:
            eater === null
              ? `The node ${node.name} has too little ${resource} left and evicts pods.`
              : `${eater.pod.namespace}/${eater.pod.name} uses most of the ${resource} of the node ${node.name}, and others are evicted.`,
          since: eater?.since ?? condition?.since ?? null,
          specificity: 'stated',
          brings: ['node', 'missing', 'failing', 'crash', 'memory_kill', 'disk', 'memory'],
          evidence: [
            eater !== null && eater.words,
            condition?.message != null && `${condition.type}: ${quoted(condition.message)}`,
            ...evictions.slice(0, 2).map(({ message, lastAt }) => ({ text: quoted(message), at: lastAt })),
          ],
          next:
            eater === null
              ? 'Free room on the node, and give its pods requests that fit what they use.'
              : `Give ${nameOf(main)} a limit, or a node of its own.`,
          command: describeCommand('node', null, node.name),
        },
      ];
    }),
};

function isOnNode(event: EventSeen, node: NodeSeen, { evidence }: Moment): boolean {
  if (event.kind === 'Node') return event.name === node.name;
  const pod = evidence.pods.find(
    ({ name, namespace, clusterId }) =>
      name === event.name && namespace === event.namespace && clusterId === event.clusterId,
  );
  // A pod that is gone: with one node under pressure it was there.
  return pod === undefined || pod.node === null
    ? node.conditions.some(({ type, status }) => PRESSURE.test(type) && status === 'True')
    : pod.node === node.name;
}

interface Eater {
  pod: PodSeen;
  since: number | null;
  words: string;
}
/** The pod that used most beyond its request, by the words of an eviction or by its figures. */
function eaterOf(node: NodeSeen, resource: string, evictions: readonly EventSeen[], moment: Moment): Eater | null {
  const byWords = evictions
    .flatMap(({ message, name, namespace }) =>
      [...message.matchAll(USING)].map(([words, , using = '', request = '']) => ({
        words,
        name,
        namespace,
        over: bytesOf(using) - bytesOf(request),
      })),
    )
    .toSorted((a, b) => b.over - a.over)[0];
  const named = moment.evidence.pods.find(
    ({ name, namespace }) => name === byWords?.name && namespace === byWords.namespace,
  );
  const byFigures =
    resource === 'memory'
      ? moment.evidence.pods
          .filter((pod) => pod.node === node.name && pod.clusterId === node.clusterId)
          .flatMap((pod) => {
            const use = shiftOf(pod.memoryMb, moment.lastAt);
            return use === null ? [] : [{ pod, use, grown: Math.max(use.is, use.last) - use.was }];
          })
          .toSorted((a, b) => b.grown - a.grown)[0]
      : undefined;
  const grownBytes = (byFigures?.grown ?? 0) * 2 ** 20;
  if (byFigures !== undefined && grownBytes > Math.max(LEAST_BYTES, byWords?.over ?? 0))
    return {
      pod: byFigures.pod,
      since: byFigures.use.onset,
      words: `memory of ${byFigures.pod.name} ${fixed(byFigures.use.was, 0)} → ${fixed(Math.max(byFigures.use.is, byFigures.use.last), 0)} MB`,
    };
  return named === undefined || byWords === undefined ? null : { pod: named, since: null, words: byWords.words };
}
/** Less is no reason for a node to evict. */
const LEAST_BYTES = 64 * 2 ** 20;

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  K: 1e3,
  M: 1e6,
  G: 1e9,
};
const bytesOf = (text: string): number => {
  const [, figure = '0', unit = ''] = /^(\d+)([A-Za-z]*)$/.exec(text) ?? [];
  return Number(figure) * (UNITS[unit] ?? 1);
};
