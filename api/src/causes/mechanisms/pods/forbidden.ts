import { nameOf, objectEntity } from '../../entities.ts';
import type { Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import {
  eachWorkload,
  isInTrouble,
  POD_TROUBLE,
  shell,
  templateChange,
  textsOf,
  undoCommand,
} from '../../workload-states.ts';

const FORBIDDEN = /system:serviceaccount:([\w-]{1,63}):([\w.-]{1,253})"? cannot (\w+) resource "?([\w.]+)/;

/** The API server refuses what a program of the pod asks. */
export const forbidden: Mechanism = {
  id: 'right_missing',
  title: 'A right is missing',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    if (!isInTrouble(workload, moment)) return null;
    const [said] = textsOf(workload, moment, (text) => FORBIDDEN.test(text));
    const [, namespace, name, verb, resource] = FORBIDDEN.exec(said?.text ?? '') ?? [];
    if (said === undefined || namespace === undefined || name === undefined) return null;
    const account = objectEntity({ clusterId: workload.ref.clusterId, namespace, kind: 'ServiceAccount', name });
    const change = templateChange(workload, moment, /serviceAccount|image|initContainers/);
    return {
      entities: change === undefined ? [workload.entity, account] : [workload.entity],
      finding: `${nameOf(account)} may not ${verb ?? 'read'} ${resource ?? 'a resource'}, and ${nameOf(workload.entity)} needs it.`,
      since: change?.at ?? said.at,
      change,
      specificity: 'stated',
      brings: POD_TROUBLE,
      evidence: [{ text: quoted(said.text), at: said.at }],
      next: 'Give the ServiceAccount a Role with that right.',
      command:
        change === undefined
          ? `kubectl auth can-i ${shell(verb ?? 'get')} ${shell(resource ?? 'pods')} -n ${shell(namespace)} --as system:serviceaccount:${shell(namespace)}:${shell(name)}`
          : undoCommand(workload),
    };
  }),
};
