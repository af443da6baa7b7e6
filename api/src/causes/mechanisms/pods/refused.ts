import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import { nameOf, objectEntity } from '../../entities.ts';
import type { ChangeSeen, EventSeen, ObjectRef } from '../../evidence.ts';
import { refOf, type Workload } from '../../index-objects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import { quoted } from '../../words.ts';
import {
  changeWords,
  describeCommand,
  eachWorkload,
  eventsOf,
  firstAt,
  templateChange,
} from '../../workload-states.ts';

const REFUSED = /^(?:FailedCreate|FailedUpdate|ReplicaSetCreateError|FailedDaemonPod)$/;
const WEBHOOK = /(?:admission )?webhook "([^"]{1,253})"/;
const QUOTA = /exceeded quota: ([\w.-]{1,253})/;
const LIMIT = /(?:maximum|minimum) (?:cpu|memory|ephemeral-storage|storage) usage per|LimitRange/i;

/** The API server refuses the pods of a workload, and names what refuses them. */
export const refusedCreation: Mechanism = {
  id: 'quota_exceeded',
  title: 'Pods may not be created',
  needs: ['events'],
  recognise: eachWorkload((workload, moment): Candidate | null => {
    const told = eventsOf(workload, REFUSED);
    const [last] = told;
    if (last === undefined) return null;
    const by = refuserOf(workload, moment, told);
    return {
      entities: [by.entity],
      reaches: [workload.entity],
      finding: `${nameOf(workload.entity)} may not create its pods${by.entity === workload.entity ? '' : `: ${nameOf(by.entity)} refuses them`}.`,
      since: by.change?.at ?? firstAt(told),
      change: by.change,
      specificity: 'stated',
      brings: ['missing', 'start', 'failing', 'crash'],
      evidence: [{ text: quoted(last.message), at: last.lastAt }, by.change !== undefined && changeWords(by.change)],
      next: 'Raise the quota of the namespace, or correct what the admission refuses.',
      command: describeCommand(by.entity.object_kind ?? 'pod', by.entity.namespace, by.entity.name),
    };
  }),
};

interface Refuser {
  entity: CauseEntity;
  change: ChangeSeen | undefined;
}
function refuserOf(workload: Workload, moment: Moment, told: readonly EventSeen[]): Refuser {
  const { clusterId, namespace } = workload.ref;
  const of = (ref: ObjectRef): Refuser => ({ entity: objectEntity(ref), change: moment.changesOf(ref)[0] });
  for (const { message } of told) {
    const quota = QUOTA.exec(message)?.[1];
    if (quota !== undefined) return of({ clusterId, namespace, kind: 'ResourceQuota', name: quota });
    const webhook = WEBHOOK.exec(message)?.[1];
    const object = webhook === undefined ? undefined : configurationOf(webhook, clusterId, moment);
    if (object !== undefined) return of(object);
    if (LIMIT.test(message)) {
      const [limit] = moment.evidence.objects.filter(
        (one) =>
          one.kind === 'LimitRange' &&
          one.clusterId === clusterId &&
          one.namespace === namespace &&
          moment.changesOf(one).length > 0,
      );
      if (limit !== undefined) return of(refOf(limit));
    }
    const account = /serviceaccount "([^"]{1,253})" not found/i.exec(message)?.[1];
    if (account !== undefined)
      return { entity: workload.entity, change: templateChange(workload, moment, /serviceAccount/) };
  }
  return { entity: workload.entity, change: templateChange(workload, moment) };
}

/** The configuration that holds a webhook of this name. */
function configurationOf(webhook: string, clusterId: string, moment: Moment): ObjectRef | undefined {
  const kinds = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'];
  const found = moment.evidence.objects.find(
    ({ kind, fields, clusterId: own }) =>
      own === clusterId &&
      kinds.includes(kind) &&
      Object.keys(fields).some((field) => field.startsWith(`webhooks.${webhook}.`)),
  );
  if (found !== undefined) return refOf(found);
  const change = moment.evidence.changes.find(
    ({ kind, fields, clusterId: own }) =>
      own === clusterId && kinds.includes(kind) && fields.some(({ field }) => field.startsWith(`webhooks.${webhook}.`)),
  );
  return change === undefined
    ? { clusterId, namespace: null, kind: 'ValidatingWebhookConfiguration', name: webhook }
    : { clusterId, namespace: null, kind: change.kind, name: change.name };
}
