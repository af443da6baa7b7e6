import type { Change } from '@plimsoll/contract/wire/changes';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { momentMs } from '../../time/age.ts';

interface Group {
  /** Share of the lane from its start. */
  share: number;
  changes: Change[];
}
/** Marks nearer than this share of the lane are one. */
const APART = 0.07;
const LABEL_CHARACTERS = 18;

/** Oldest first; changes that would overlap are one mark. */
export function laneGroups(changes: readonly Change[], from: number, to: number, apart: number = APART): Group[] {
  const groups: Group[] = [];
  const placed = changes
    .map((change) => ({ change, share: ((momentMs(change.at) ?? 0) / 1000 - from) / Math.max(1, to - from) }))
    .filter(({ share }) => share >= 0 && share <= 1)
    .toSorted((a, b) => a.share - b.share);
  for (const { change, share } of placed) {
    const open = groups.at(-1);
    if (open !== undefined && share - open.share < apart) open.changes.push(change);
    else groups.push({ share, changes: [change] });
  }
  return groups;
}

/** "1.9.1 → 1.9.2", "replicas 6 → 8", "3 fields". */
export function laneLabel({ fields, title, action }: Change): string {
  const [first] = fields;
  if (action !== 'changed' || first === undefined) return cut(title);
  if (fields.length > 1) return plural(fields.length, 'field');
  const { field, before, after, hidden } = first;
  const name = field.split('.').at(-1) ?? field;
  if (hidden || before === null || after === null) return cut(name);
  const versions = [before, after].map((image) => image.split(':').at(-1) ?? image);
  return cut(name === 'image' ? versions.join(' → ') : `${name} ${before} → ${after}`);
}
const cut = (text: string): string =>
  escapeInvisible(text.length > LABEL_CHARACTERS ? `${text.slice(0, LABEL_CHARACTERS - 1)}…` : text);
