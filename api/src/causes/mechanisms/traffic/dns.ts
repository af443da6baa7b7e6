import { nameOf, objectEntity } from '../../entities.ts';
import { isDns } from '../../graph.ts';
import type { Mechanism } from '../../mechanism.ts';
import { isResolverSilent, isUnresolved, quote } from '../../words.ts';
import {
  changeWords,
  describeCommand,
  POD_TROUBLE,
  tellingFields,
  textsOf,
  unwellPods,
  workloadMechanism,
} from '../../workload-states.ts';

/** The resolver of the cluster has no ready pod, or was changed: every caller suffers. */
export const dnsDown = workloadMechanism('dns_down', 'DNS of the cluster is down', ['pods'], (dns, moment, name) => {
  if (!isDns(dns.ref)) return null;
  const { clusterId, namespace, kind } = dns.ref;
  const change =
    moment
      .changesOf(dns.ref)
      .find((one) => tellingFields(one).length > 0 || one.fields.some(({ field }) => field === 'replicas')) ??
    moment.changesOf({ ...dns.ref, kind: 'ConfigMap' })[0];
  const ready = dns.pods.filter((pod) => pod.ready && !pod.deleting).length;
  const said = moment.workloads
    .filter((one) => one !== dns && one.ref.clusterId === clusterId)
    .flatMap((workload) => textsOf(workload, moment, isUnresolved).map((text) => ({ ...text, workload })));
  const isDown = ready === 0 && (dns.pods.length > 0 || dns.desired === 0 || change !== undefined);
  const isSilent = said.some(({ text }) => isResolverSilent(text));
  if (!isDown && (change === undefined || !isSilent)) return null;
  return {
    reaches: [
      ...new Set(said.map(({ workload }) => workload.entity)),
      objectEntity({ clusterId, namespace: 'kube-system', kind: 'Service', name: 'kube-dns' }),
    ],
    finding: `${name} ${isDown ? 'has no ready pod: names cannot be resolved in the cluster' : 'changed, and names cannot be resolved since'}.`,
    change,
    specificity: 'stated',
    brings: ['failing', 'missing', 'crash', 'start'],
    evidence: [
      `${String(ready)} of ${String(dns.pods.length)} pods are ready`,
      quote(said[0]),
      unwellPods(dns)[0]?.reason,
      change && `${nameOf(dns.entity)}: ${changeWords(change)}`,
    ],
    next: 'Bring its pods back.',
    command: describeCommand(kind, namespace, dns.ref.name),
  };
});

/** The pods of one node cannot resolve names, and those of others can: its own resolver or its network fails. */
export const dnsOfNode: Mechanism = {
  id: 'dns_of_node',
  title: 'DNS of a node',
  needs: ['pods', 'nodes'],
  recognise: (moment) => {
    const tellers = moment.workloads.filter(
      (one) => unwellPods(one).length > 0 && textsOf(one, moment, isResolverSilent).length > 0,
    );
    const [name, ...others] = new Set(tellers.flatMap((one) => unwellPods(one).map(({ node }) => node)));
    const isElsewhereWell = tellers.some(({ pods }) => pods.some((pod) => pod.ready && pod.node !== name));
    const [first] = tellers;
    if (first === undefined || name == null || others.length > 0 || !isElsewhereWell) return [];
    return [
      {
        entities: [objectEntity({ clusterId: first.ref.clusterId, namespace: null, kind: 'Node', name })],
        reaches: tellers.map(({ entity }) => entity),
        finding: `Pods on the node ${name} cannot resolve names, and those on other nodes can.`,
        since: textsOf(first, moment, isResolverSilent).at(-1)?.at ?? null,
        specificity: 'broken',
        brings: POD_TROUBLE,
        evidence: [quote(textsOf(first, moment, isResolverSilent)[0])],
        next: 'Check the network of the node, its local DNS cache and its way to the pods of the resolver.',
        command: describeCommand('node', null, name),
      },
    ];
  },
};
