import { ownValue } from '@plimsoll/contract/rules/printable-text';
import { nameOf, objectEntity } from '../../entities.ts';
import type { Mechanism } from '../../mechanism.ts';
import { anyMissingSetting, missingSetting, quote } from '../../words.ts';
import { workloadMechanism } from '../../workload-states.ts';
import { changeWords } from '../../change-words.ts';
import { shell } from '../../commands.ts';

/** Kubernetes names the object that is not there. */
const NOT_FOUND = /(configmap|secret|serviceaccount|persistentvolumeclaim)s? "([^"]{1,253})" not found/i;
const NO_KEY = /couldn't find key (\S{1,253}) in (ConfigMap|Secret) [^/\s]{1,63}\/(\S{1,253})/i;
const KINDS: Readonly<Record<string, string>> = {
  configmap: 'ConfigMap',
  secret: 'Secret',
  serviceaccount: 'ServiceAccount',
  persistentvolumeclaim: 'PersistentVolumeClaim',
};
function missingIn(text: string): { kind: string; name: string; key: string | null } | null {
  const [, word, object] = NOT_FOUND.exec(text) ?? [];
  const [, key, kind, owner] = NO_KEY.exec(text) ?? [];
  const [found, name] = [word ?? kind, object?.split('/').at(-1) ?? owner];
  return found === undefined || name === undefined
    ? null
    : { kind: ownValue(KINDS, found.toLowerCase()) ?? found, name, key: key ?? null };
}

const missingObject = workloadMechanism(
  'container_config_error',
  'A part that the pod needs is missing',
  (workload, moment) => {
    const [said] = workload.said((text) => missingIn(text) !== null);
    const missing = missingIn(said?.text ?? '');
    if (missing === null) return null;
    const ref = { ...workload.ref, kind: missing.kind, name: missing.name };
    const object = objectEntity(ref);
    const [gone] = moment.changesOf(ref);
    const change = gone ?? workload.rollout(/volumes|env|serviceAccount/);
    const what = missing.key === null ? nameOf(object) : `the key ${missing.key} of ${nameOf(object)}`;
    return {
      // The workload is guilty if it changed and the object did not.
      entities: [gone === undefined && change !== undefined ? workload.entity : object],
      reaches: [workload.entity],
      finding: `${workload.name} cannot start: ${what} does not exist.`,
      since: said?.at ?? null,
      change,
      specificity: 'stated',
      evidence: [quote(said), change && changeWords(change)],
      next: `Create ${what}, or correct what names it. The pods then start by themselves.`,
    };
  },
);

const NAME = /\.env\.(.{1,253})$/;
/** A variable was removed, or the program says that one is not set. */
const missingSettingOfPod = workloadMechanism('missing_setting', 'A setting is missing', (workload, moment) => {
  if (!workload.isInTrouble) return null;
  const removals = moment.changesOf(workload.ref).flatMap((change) =>
    change.fields.flatMap(({ field, was }) => {
      const setting = NAME.exec(field)?.[1];
      return was === 'removed' && setting !== undefined ? [{ change, setting }] : [];
    }),
  );
  const removed = removals.map(({ setting }) => setting);
  const settingIn = (text: string): string | null => missingSetting(text, removed) ?? anyMissingSetting(text);
  const [said] = workload.said((text) => settingIn(text) !== null);
  const setting = settingIn(said?.text ?? '') ?? removed[0];
  if (setting === undefined) return null;
  const change = (removals.find((one) => one.setting === setting) ?? removals[0])?.change;
  return {
    finding: `${workload.name} misses the variable ${setting}.`,
    since: said?.at ?? null,
    change,
    specificity: said !== undefined && change !== undefined ? 'stated' : 'broken',
    evidence: [quote(said) ?? `${setting} was removed`],
    next: `Set ${setting} again.`,
  };
});

const FORBIDDEN = /system:serviceaccount:([\w-]{1,63}):([\w.-]{1,253})"? cannot (\w+) resource "?([\w.]+)/;
/** The API server refuses what a program of the pod asks. */
const forbidden = workloadMechanism('right_missing', 'A right is missing', (workload, moment) => {
  const [said] = workload.isInTrouble ? workload.said(FORBIDDEN) : [];
  if (said === undefined) return null;
  const [, namespace = '', account = '', verb = '', resource = ''] = FORBIDDEN.exec(said.text) ?? [];
  const entity = objectEntity({
    clusterId: workload.ref.clusterId,
    namespace,
    kind: 'ServiceAccount',
    name: account,
  });
  const fields = /serviceAccount|image|initContainers/;
  // A restart after the rollout: what it brought had worked until then.
  const isOwn =
    workload.rollout(fields) !== undefined && workload.rollout(fields) === moment.changesOf(workload.ref)[0];
  return {
    entities: [workload.entity, ...(isOwn ? [] : [entity])],
    finding: `${nameOf(entity)} may not ${verb} ${resource}, and ${workload.name} needs it.`,
    since: said.at,
    fields,
    specificity: 'stated',
    evidence: [quote(said)],
    next: 'Give the ServiceAccount a Role with that right.',
    command: `kubectl auth can-i ${shell(verb)} ${shell(resource)} -n ${shell(namespace)} --as system:serviceaccount:${shell(namespace)}:${shell(account)}`,
  };
});

export const settingMechanisms: readonly Mechanism[] = [missingObject, missingSettingOfPod, forbidden];
