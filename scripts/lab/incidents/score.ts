import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import type { Named, TrueCause } from './incident.ts';

/** Parts of an answer that the score reads. */
export type Accused = Pick<CauseEntity, 'kind' | 'name' | 'object_kind' | 'namespace'>;

interface Truth {
  causes: TrueCause[];
  related: Named[];
  /** The namespace of the run; null on a host. */
  namespace: string | null;
}

const POD_OF_DEPLOYMENT = /^(.+)-[a-z0-9]{6,10}-[a-z0-9]{5}$/;
const POD_OF_SET = /^(.+)-(?:\d+|[a-z0-9]{5})$/;
const UNIT_SUFFIX = /\.(service|timer|mount|socket)$/;

/** Pods and containers stand for their workload, and a unit is itself with or without its suffix. */
function nameOf({ kind, name }: Pick<Named, 'kind' | 'name'>): { kind: string; name: string } {
  if (kind === 'pod') {
    const owner = POD_OF_DEPLOYMENT.exec(name)?.[1] ?? POD_OF_SET.exec(name)?.[1] ?? name;
    return { kind: 'workload', name: owner };
  }
  if (kind === 'unit') return { kind, name: name.replace(UNIT_SUFFIX, '') };
  return { kind, name };
}

/** Returns true if an answer's entity is one that the author named. */
function isSame(accused: Accused, named: Named, namespace: string | null): boolean {
  const [said, meant] = [nameOf(accused), nameOf(named)];
  if (said.kind !== meant.kind || said.name !== meant.name) return false;
  if (named.objectKind !== undefined && accused.object_kind !== named.objectKind) return false;
  // Objects without a namespace, such as nodes, carry none.
  return accused.namespace === null || namespace === null || accused.namespace === namespace || named.kind === 'node';
}

const keyOf = (accused: Accused): string => {
  const { kind, name } = nameOf(accused);
  return [kind, kind === 'object' ? accused.object_kind : '', accused.namespace, name].join(' ');
};

/**
 * Scores one answer as ITBench-AA does: 0 if a true cause is missing among the named entities, else true entities ÷ named
 * entities. Several names of one true cause count as one. Without a true cause, 1 if nothing is accused.
 */
export function score(accused: readonly Accused[], { causes, related, namespace }: Truth): number {
  const different = [...new Map(accused.map((one) => [keyOf(one), one])).values()];
  if (causes.length === 0) return different.length === 0 ? 1 : 0;
  const found = causes.filter(({ entities }) =>
    entities.some((named) => different.some((one) => isSame(one, named, namespace))),
  );
  if (found.length < causes.length) return 0;
  const isTold = (one: Accused) =>
    [...causes.flatMap(({ entities }) => entities), ...related].some((named) => isSame(one, named, namespace));
  const wrong = different.filter((one) => !isTold(one)).length;
  return causes.length / (causes.length + wrong);
}

/** Returns the entities that an answer accuses, in its order. */
export const accusedBy = (answer: { causes: { entities: CauseEntity[] }[] }): CauseEntity[] =>
  answer.causes.flatMap(({ entities }) => entities);
