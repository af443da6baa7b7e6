import { nameOf, objectEntity } from '../../entities.ts';
import type { ObjectRef } from '../../evidence.ts';
import type { Mechanism } from '../../mechanism.ts';
import { quoted } from '../../words.ts';
import { changeWords, eachWorkload, POD_TROUBLE, templateChange, textsOf } from '../../workload-states.ts';

/** Kubernetes names the object that is not there. */
const NOT_FOUND = /(configmap|secret|serviceaccount|persistentvolumeclaim)s? "([^"]{1,253})" not found/i;
const NO_KEY =
  /(?:couldn't find key (\S{1,253}) in (ConfigMap|Secret) ([^/\s]{1,63})\/(\S{1,253}))|references non-existent (?:config|secret) key: (\S{1,253})/i;
const KINDS: Readonly<Record<string, string>> = {
  configmap: 'ConfigMap',
  secret: 'Secret',
  serviceaccount: 'ServiceAccount',
  persistentvolumeclaim: 'PersistentVolumeClaim',
};

interface Missing {
  kind: string;
  name: string;
  key: string | null;
}
function missingIn(text: string): Missing | null {
  const [, word, name] = NOT_FOUND.exec(text) ?? [];
  if (word !== undefined && name !== undefined)
    return { kind: KINDS[word.toLowerCase()] ?? 'ConfigMap', name: name.split('/').at(-1) ?? name, key: null };
  const [, key, kind, , owner] = NO_KEY.exec(text) ?? [];
  return key === undefined || kind === undefined || owner === undefined
    ? null
    : { kind: KINDS[kind.toLowerCase()] ?? kind, name: owner, key };
}

export const missingObject: Mechanism = {
  id: 'container_config_error',
  title: 'A part that the pod needs is missing',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    const [said] = textsOf(workload, moment, (text) => missingIn(text) !== null);
    const missing = said === undefined ? null : missingIn(said.text);
    if (said === undefined || missing === null) return null;
    const ref: ObjectRef = { ...workload.ref, kind: missing.kind, name: missing.name };
    const [gone] = moment.changesOf(ref);
    const own = templateChange(workload, moment, /volumes|env|serviceAccount/);
    const object = objectEntity(ref);
    // The workload is guilty if it changed and the object did not.
    const isOwn = gone === undefined && own !== undefined;
    const change = gone ?? own;
    const what = missing.key === null ? nameOf(object) : `the key ${missing.key} of ${nameOf(object)}`;
    return {
      entities: [isOwn ? workload.entity : object],
      reaches: [workload.entity],
      finding: `${nameOf(workload.entity)} cannot start: ${what} does not exist.`,
      since: change?.at ?? said.at,
      change,
      specificity: 'stated',
      brings: POD_TROUBLE,
      evidence: [{ text: quoted(said.text), at: said.at }, change !== undefined && changeWords(change)],
      next: `Create ${what}, or correct what names it. The pods then start by themselves.`,
    };
  }),
};
