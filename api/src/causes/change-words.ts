import type { ChangeSeen, FieldSeen } from './evidence.ts';

/** Puts changes of objects into words. */

/** Fields that say who or what rolled out, not what. */
const MARKS =
  /^(?:marks\.|template\.annotations\.|template\.labels\.|replicas$|paused$|strategy|updateStrategy|minReadySeconds|progressDeadline)/;
export const tellingFields = (change: ChangeSeen): FieldSeen[] =>
  change.fields.filter(({ field }) => !MARKS.test(field));

export const fieldText = ({ field, was, before, after }: FieldSeen): string => {
  const name = field.replace(/^(?:containers|initContainers)\.[^.]{1,253}\./, '');
  if (before === null && after === null) return `${name} ${was}`;
  return `${name} ${before ?? 'none'} → ${after ?? 'removed'}`;
};
export const changeWords = (change: ChangeSeen): string => {
  const [first, ...others] = tellingFields(change);
  if (first === undefined) return change.title;
  return `${fieldText(first)}${others.length === 0 ? '' : ` and ${String(others.length)} more`}`;
};
