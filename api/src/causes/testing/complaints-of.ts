import { explain } from '../explain.ts';
import type { OtherFault } from './other-faults/host-told.ts';

/** "unit nginx.service", "Node node-1", "change files-7". */
const namesOf = ({ causes }: ReturnType<typeof explain>): string[][] =>
  causes.map(({ entities, change_id: id }) => [
    ...entities.map(({ kind, object_kind: object, name }) => `${object ?? kind} ${name}`),
    ...(id === null ? [] : [`change ${id}`]),
  ]);

/** Compares the causes of a fault with its truth, and returns what is wrong with them. */
export function complaintsOf({ right, all, never = [], untrue, isHard = false, evidence }: OtherFault): string[] {
  const answer = explain(evidence);
  const causes = namesOf(answer);
  const [first = []] = causes;
  const named = all === undefined ? first : causes.flat();
  const missing = (all ?? right).filter((one) => !named.some((name) => one.test(name)));
  const most = all?.length ?? (right.length === 0 ? 0 : causes.length);
  const finding = answer.causes[0]?.finding ?? '';
  return [
    ...causes.flat().flatMap((name) => (never.some((one) => one.test(name)) ? [`named the harmless ${name}`] : [])),
    ...(isHard && causes.length === 0 ? [] : missing.map((one) => `named no ${one.source}, but ${named.join(', ')}`)),
    ...causes.slice(most).map((names) => `named ${names.join(', ')}, too`),
    ...(untrue?.test(finding) === true ? [`said: ${finding}`] : []),
  ];
}
