import type { ObjectRef } from '../../evidence.ts';
import { nameOf } from '../../entities.ts';
import type { Workload } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { addressesIn, firstLabel, isCallError, isUnresolved, quoted, unresolvedNames } from '../../words.ts';
import {
  changeWords,
  eachWorkload,
  isInTrouble,
  POD_TROUBLE,
  templateChange,
  textsOf,
  undoCommand,
} from '../../workload-states.ts';

const OWN_FIELDS = /env|args|command|image|volumes|initContainers/;

/** The Service that a host name means, in the namespace of the caller or the one that it names. */
function serviceOf(host: string, { ref }: Workload): ObjectRef {
  const [name = host, namespace] = host.split('.');
  return {
    clusterId: ref.clusterId,
    namespace: namespace === undefined || namespace === 'svc' ? ref.namespace : namespace,
    kind: 'Service',
    name,
  };
}
const isKnown = (ref: ObjectRef, moment: Moment): boolean =>
  moment.index.find(ref) !== null || moment.index.changesOf(ref).length > 0;

/** A program calls a name, or a port, that no Service has: its own setting is wrong. */
export const unknownName: Mechanism = {
  id: 'unknown_name',
  title: 'Calls what does not exist',
  needs: ['pods', 'objects'],
  recognise: eachWorkload((workload, moment): Candidate | null => {
    if (!isInTrouble(workload, moment)) return null;
    // Without Services in the ledger nothing is known of names.
    if (moment.index.objectsOf('Service').every(({ clusterId }) => clusterId !== workload.ref.clusterId)) return null;
    const wrong = textsOf(workload, moment, isCallError).flatMap(({ text, at }) => {
      const [name] = unresolvedNames(text).filter((host) => !isKnown(serviceOf(host, workload), moment));
      if (isUnresolved(text)) return name === undefined ? [] : [{ text, at, what: `the name ${name}` }];
      const [address] = addressesIn(text).filter(({ host, port }) =>
        isForeignPort(serviceOf(host, workload), port, moment),
      );
      return address === undefined
        ? []
        : [{ text, at, what: `port ${String(address.port)} of ${firstLabel(address.host)}` }];
    });
    const [said] = wrong;
    if (said === undefined) return null;
    const change = templateChange(workload, moment, OWN_FIELDS);
    return {
      entities: [workload.entity],
      finding: `${nameOf(workload.entity)} calls ${said.what}, which does not exist.`,
      since: change?.at ?? said.at,
      change,
      specificity: 'stated',
      brings: POD_TROUBLE,
      evidence: [{ text: quoted(said.text), at: said.at }, change !== undefined && changeWords(change)],
      next: 'Correct the address in its settings.',
      command: change === undefined ? null : undoCommand(workload),
    };
  }),
};

/** The Service is there and as it was, and has no such port. */
function isForeignPort(ref: ObjectRef, port: number, moment: Moment): boolean {
  const ports = moment.index.find(ref)?.fields['ports'];
  if (ports === undefined || moment.changesOf(ref).length > 0) return false;
  return ![...ports.matchAll(/(\d{1,5})→/g)].some(([, known]) => Number(known) === port);
}
