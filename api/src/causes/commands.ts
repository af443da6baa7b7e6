import { tellingFields } from './change-words.ts';
import { nameOf, objectEntity } from './entities.ts';
import type { Candidate } from './mechanism.ts';

/** Writes the line for a shell that comes next. */

/** Names come from clusters: only those that need no quotes go into a command as they are. */
export const shell = (name: string): string =>
  /^[\w./:-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;

const ROLLS_OUT = /^(?:Deployment|StatefulSet|DaemonSet)$/;
/** Returns the undo of the rollout that is guilty, else the description of the guilty object; null: there is none. */
export function commandOf({ entities: [main], change }: Pick<Candidate, 'entities' | 'change'>): string | null {
  if (main?.object_kind == null || change?.action === 'gone') return null;
  const [kind, name] = [main.object_kind.toLowerCase(), shell(main.name)];
  const isOwn =
    change?.clusterId != null && nameOf(objectEntity({ ...change, clusterId: change.clusterId })) === nameOf(main);
  if (isOwn && ROLLS_OUT.test(main.object_kind) && tellingFields(change).length > 0)
    return `kubectl -n ${shell(main.namespace ?? 'default')} rollout undo ${kind}/${name}`;
  return `kubectl ${main.namespace === null ? '' : `-n ${shell(main.namespace)} `}describe ${kind} ${name}`;
}
