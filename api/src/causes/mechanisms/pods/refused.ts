import { nameOf, objectEntity } from '../../entities.ts';
import type { EventSeen, ObjectRef } from '../../evidence.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { quote } from '../../words.ts';
import { firstAt, workloadMechanism } from '../../workload-states.ts';
import { changeWords } from '../../change-words.ts';

const REFUSED = /^(?:FailedCreate|FailedUpdate|ReplicaSetCreateError|FailedDaemonPod)$/;

/** The API server refuses the pods of a workload, and names what refuses them. */
export const refusedCreation = workloadMechanism('quota_exceeded', 'Pods may not be created', (workload, moment) => {
  const told = workload.told(REFUSED);
  if (told.length === 0) return null;
  const ref = refuserOf(workload, moment, told);
  const entity = ref === null ? workload.entity : objectEntity(ref);
  const isAccount = told.some(({ message }) => /serviceaccount "[^"]{1,253}" not found/i.test(message));
  const change = ref === null ? workload.rollout(isAccount ? /serviceAccount/ : undefined) : moment.changesOf(ref)[0];
  return {
    entities: [entity],
    reaches: [workload.entity],
    finding: `${workload.name} may not create its pods${ref === null ? '' : `: ${nameOf(entity)} refuses them`}.`,
    since: firstAt(told),
    change,
    specificity: 'stated',
    brings: ['missing', 'start', 'failing', 'crash'],
    evidence: [quote(told[0]), change && changeWords(change)],
    next: 'Raise the quota of the namespace, or correct what the admission refuses.',
  };
});

const WEBHOOK = /(?:admission )?webhook "([^"]{1,253})"/;
const QUOTA = /exceeded quota: ([\w.-]{1,253})/;
const LIMIT = /(?:maximum|minimum) (?:cpu|memory|ephemeral-storage|storage) usage per|LimitRange/i;
/** The object that refuses; null: nothing else than the workload itself. */
function refuserOf({ ref: { clusterId, namespace } }: WorkloadMoment, moment: Moment, told: readonly EventSeen[]) {
  for (const { message } of told) {
    const quota = QUOTA.exec(message)?.[1];
    if (quota !== undefined) return { clusterId, namespace, kind: 'ResourceQuota', name: quota };
    const webhook = WEBHOOK.exec(message)?.[1];
    if (webhook !== undefined) return configurationOf(webhook, clusterId, moment);
    const limit = moment.index
      .objectsOf('LimitRange')
      .find((one) => one.clusterId === clusterId && one.namespace === namespace && moment.changesOf(one).length > 0);
    if (LIMIT.test(message) && limit !== undefined) return limit;
  }
  return null;
}

const CONFIGURATION = /^(?:Validating|Mutating)WebhookConfiguration$/;
/** The configuration that holds a webhook of this name. */
function configurationOf(webhook: string, clusterId: string, { evidence }: Moment): ObjectRef {
  const fieldsOf = [
    ...evidence.objects.map((one) => ({ ...one, names: Object.keys(one.fields) })),
    ...evidence.changes.map((one) => ({ ...one, names: one.fields.map(({ field }) => field) })),
  ];
  const found = fieldsOf.find(
    (one) =>
      one.clusterId === clusterId &&
      CONFIGURATION.test(one.kind) &&
      one.names.some((field) => field.startsWith(`webhooks.${webhook}.`)),
  );
  const { kind = 'ValidatingWebhookConfiguration', name = webhook } = found ?? {};
  return { clusterId, namespace: null, kind, name };
}
