import { nameOf, objectEntity } from '../../entities.ts';
import type { ChangeSeen } from '../../evidence.ts';
import { isDns } from '../../graph.ts';
import type { Workload } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { isResolverSilent, isUnresolved, quoted } from '../../words.ts';
import { changeWords, describeCommand, tellingFields, textsOf, unwellPods } from '../../workload-states.ts';

/** The resolver of the cluster has no ready pod, or was changed: every caller suffers. */
export const dnsDown: Mechanism = {
  id: 'dns_down',
  title: 'DNS of the cluster is down',
  needs: ['pods'],
  recognise: (moment) =>
    moment.workloads
      .filter(({ ref }) => isDns(ref))
      .flatMap((dns): Candidate[] => {
        const change = changeOf(dns, moment);
        const ready = dns.pods.filter((pod) => pod.ready && !pod.deleting);
        const callers = moment.workloads.filter((one) => one !== dns && one.ref.clusterId === dns.ref.clusterId);
        const said = callers.flatMap((workload) =>
          textsOf(workload, moment, isUnresolved).map((text) => ({ ...text, workload })),
        );
        const isDown = ready.length === 0 && (dns.pods.length > 0 || dns.desired === 0 || change !== undefined);
        const silent = said.find(({ text }) => isResolverSilent(text));
        if (!isDown && (change === undefined || silent === undefined)) return [];
        const sufferers = [...new Set(said.map(({ workload }) => workload.entity))];
        return [
          {
            entities: [dns.entity],
            reaches: [
              ...sufferers,
              objectEntity({
                clusterId: dns.ref.clusterId,
                namespace: 'kube-system',
                kind: 'Service',
                name: 'kube-dns',
              }),
            ],
            finding: isDown
              ? `${nameOf(dns.entity)} has no ready pod: names cannot be resolved in the cluster.`
              : `${nameOf(dns.entity)} changed, and names cannot be resolved since.`,
            since: change?.at ?? null,
            change,
            specificity: silent !== undefined || isDown ? 'stated' : 'broken',
            brings: ['failing', 'missing', 'crash', 'start'],
            evidence: [
              `${String(ready.length)} of ${String(dns.pods.length)} pods are ready`,
              said[0] !== undefined && { text: quoted(said[0].text), at: said[0].at },
              unwellPods(dns)[0]?.reason,
              change !== undefined && changeWords(change),
            ],
            next: 'Bring its pods back.',
            command: describeCommand(dns.ref.kind, dns.ref.namespace, dns.ref.name),
          },
        ];
      }),
};

const changeOf = (dns: Workload, moment: Moment): ChangeSeen | undefined =>
  moment
    .changesOf(dns.ref)
    .find((change) => tellingFields(change).length > 0 || change.fields.some(({ field }) => field === 'replicas')) ??
  moment.changesOf({ ...dns.ref, kind: 'ConfigMap' })[0];
