import type { ObjectRef } from '../../evidence.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { addressesIn, firstLabel, isCallError, isUnresolved, quote, unresolvedNames } from '../../words.ts';
import { workloadMechanism } from '../../workload-states.ts';

/** The Service that a host name means, in the namespace of the caller or the one that it names. */
function serviceOf(host: string, { ref }: WorkloadMoment): ObjectRef {
  const [name = host, namespace = 'svc'] = host.split('.');
  return { ...ref, namespace: namespace === 'svc' ? ref.namespace : namespace, kind: 'Service', name };
}
const isKnown = (ref: ObjectRef, { index }: Moment): boolean =>
  index.find(ref) !== null || index.changesOf(ref).length > 0;

/** The Service is there and as it was, and has no such port. */
function isForeignPort(ref: ObjectRef, port: number, moment: Moment): boolean {
  const ports = moment.index.find(ref)?.fields['ports'];
  if (ports === undefined || moment.changesOf(ref).length > 0) return false;
  return ![...ports.matchAll(/(\d{1,5})→/g)].some(([, known]) => Number(known) === port);
}
function wrongIn(text: string, workload: WorkloadMoment, moment: Moment): string | null {
  const name = unresolvedNames(text).find((host) => !isKnown(serviceOf(host, workload), moment));
  if (isUnresolved(text)) return name === undefined ? null : `the name ${name}`;
  const address = addressesIn(text).find(({ host, port }) => isForeignPort(serviceOf(host, workload), port, moment));
  return address === undefined ? null : `port ${String(address.port)} of ${firstLabel(address.host)}`;
}

/** A program calls a name, or a port, that no Service has: its own setting is wrong. */
export const unknownName = workloadMechanism('unknown_name', 'Calls what does not exist', (workload, moment) => {
  // Without Services in the ledger nothing is known of names.
  const hasServices = moment.index.objectsOf('Service').some((one) => one.clusterId === workload.ref.clusterId);
  if (!workload.isInTrouble || !hasServices) return null;
  const [said] = workload.said((text) => isCallError(text) && wrongIn(text, workload, moment) !== null);
  if (said === undefined) return null;
  return {
    finding: `${workload.name} calls ${wrongIn(said.text, workload, moment) ?? 'something'}, which does not exist.`,
    since: said.at,
    fields: /env|args|command|image|volumes|initContainers/,
    specificity: 'stated',
    evidence: [quote(said)],
    next: 'Correct the address in its settings.',
  };
});
