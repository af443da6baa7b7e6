import { objectEntity } from '../../entities.ts';
import { isDns } from '../../graph.ts';
import { isResolverSilent, isUnresolved, quote } from '../../words.ts';
import { workloadMechanism } from '../../workload-states.ts';
import { changeWords, tellingFields } from '../../change-words.ts';

/** The resolver of the cluster has no ready pod, or was changed: every caller suffers. */
export const dnsDown = workloadMechanism('dns_down', 'DNS of the cluster is down', (dns, moment) => {
  if (!isDns(dns.ref)) return null;
  const { clusterId } = dns.ref;
  const change =
    moment
      .changesOf(dns.ref)
      .find((one) => tellingFields(one).length > 0 || one.fields.some(({ field }) => field === 'replicas')) ??
    moment.changesOf({ ...dns.ref, kind: 'ConfigMap' })[0];
  const ready = dns.pods.filter((pod) => pod.ready && !pod.deleting).length;
  const said = moment.workloads
    .filter((one) => one !== dns && one.ref.clusterId === clusterId)
    .flatMap((workload) => workload.said(isUnresolved).map((text) => ({ ...text, workload })));
  const isDown = ready === 0 && (dns.pods.length > 0 || dns.desired === 0 || change !== undefined);
  const isSilent = said.some(({ text }) => isResolverSilent(text));
  if (!isDown && (change === undefined || !isSilent)) return null;
  return {
    reaches: [
      ...new Set(said.map(({ workload }) => workload.entity)),
      objectEntity({ clusterId, namespace: 'kube-system', kind: 'Service', name: 'kube-dns' }),
    ],
    finding: `${dns.name} ${isDown ? 'has no ready pod: names cannot be resolved in the cluster' : 'changed, and names cannot be resolved since'}.`,
    change,
    specificity: 'stated',
    brings: ['failing', 'missing', 'crash', 'start'],
    evidence: [
      `${String(ready)} of ${String(dns.pods.length)} pods are ready`,
      quote(said[0]),
      dns.unwell[0]?.reason,
      change && `${dns.name}: ${changeWords(change)}`,
    ],
    next: 'Bring its pods back.',
  };
});
