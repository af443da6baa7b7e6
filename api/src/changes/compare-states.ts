import { CHANGE_LIMITS, type ChangeAction, type FieldChange } from '@plimsoll/contract/rules/changes';

type Texts = Readonly<Record<string, string>>;

/** The described state of an object, or of a section of a host. */
export interface State {
  /** States of two forms are not compared. */
  form: number;
  fields: Texts;
  /** Digests of values that are hidden or cut; absent: there are none. */
  digests?: Texts;
  /** Names the key of the digests. Digests of two keys are not compared. */
  digestKey?: string;
}

const valueOf = (texts: Texts, path: string): string | null =>
  Object.hasOwn(texts, path) ? (texts[path] ?? null) : null;

/**
 * Returns the fields that differ, by name. A repeat of one state has none, so a report that arrives twice changes
 * nothing. Several edits of one field between two states are one change.
 */
export function compareStates(before: State, after: State): FieldChange[] {
  if (before.form !== after.form) return [];
  const [oldDigests, newDigests] =
    before.digestKey === after.digestKey ? [before.digests ?? {}, after.digests ?? {}] : [{}, {}];
  const paths = new Set([
    ...Object.keys(before.fields),
    ...Object.keys(after.fields),
    ...Object.keys(oldDigests),
    ...Object.keys(newDigests),
  ]);
  const changes = [...paths].flatMap((field): FieldChange[] => {
    const texts = [valueOf(before.fields, field), valueOf(after.fields, field)] as const;
    const digests = [valueOf(oldDigests, field), valueOf(newDigests, field)] as const;
    const differ = texts[0] !== texts[1];
    if (!differ && digests[0] === digests[1]) return [];
    const [hadOne, hasOne] = [texts[0] ?? digests[0], texts[1] ?? digests[1]].map((value) => value !== null);
    const was = !hadOne ? 'set' : !hasOne ? 'removed' : 'changed';
    return [{ field, was, before: differ ? texts[0] : null, after: differ ? texts[1] : null, hidden: !differ }];
  });
  return changes.toSorted((a, b) => (a.field < b.field ? -1 : 1));
}

const shortName = (field: string): string => field.replace(/^(?:containers|initContainers)\.[^.]{1,253}\./, '');

/** Fields that a reader looks for first. */
const FIRST_FIELDS = ['image', 'replicas', 'resources', 'ports', 'args', 'command'];
const rankOf = ({ field }: FieldChange): number => {
  const name = shortName(field).split('.', 1)[0] ?? '';
  const rank = FIRST_FIELDS.indexOf(name);
  return rank === -1 ? FIRST_FIELDS.length : rank;
};

/** "image 1.9.1 → 1.9.2, limits.memory and 2 more"; "is new" and "is gone" for what came and went. */
export function changeTitle(action: ChangeAction, fields: readonly FieldChange[]): string {
  if (action === 'added') return 'is new';
  if (action === 'gone') return 'is gone';
  const ranked = fields.toSorted((a, b) => rankOf(a) - rankOf(b));
  const words = ranked.slice(0, 3).map((one, index) => (index === 0 ? fieldText(one) : shortName(one.field)));
  if (words.length === 0) return 'changed';
  const more = fields.length - words.length;
  return `${words.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`.slice(0, CHANGE_LIMITS.titleCharacters);
}

function fieldText({ field, was, before, after, hidden }: FieldChange): string {
  const name = shortName(field);
  if (hidden) return `${name} ${was}`;
  const [from, to] = name === 'image' ? tagsOf(before, after) : [before, after];
  return `${name} ${from ?? 'not set'} → ${to ?? 'not set'}`;
}

/** Returns the repository of an image and its tag or digest; null: it has none. A port of the registry is no tag. */
function splitImage(image: string): [repository: string, tag: string] | null {
  const at = Math.max(image.lastIndexOf(':'), image.indexOf('@'));
  return at > image.lastIndexOf('/') ? [image.slice(0, at), image.slice(at + 1)] : null;
}

/** Returns the tags alone where the repository stayed. */
function tagsOf(before: string | null, after: string | null): [string | null, string | null] {
  const from = before === null ? null : splitImage(before);
  const to = after === null ? null : splitImage(after);
  return from !== null && to !== null && from[0] === to[0] ? [from[1], to[1]] : [before, after];
}

/** Words for what was set and removed in a section of a host. */
const SECTION_WORDS: Partial<Record<string, { set: string; removed: string }>> = {
  packages: { set: 'installed', removed: 'removed' },
  ports: { set: 'opened', removed: 'closed' },
  mounts: { set: 'mounted', removed: 'unmounted' },
};

/** "openssl 3.0.1 → 3.0.2 and 2 more", "8081/tcp opened". */
export function sectionTitle(section: string, fields: readonly FieldChange[]): string {
  const words = SECTION_WORDS[section];
  const texts = fields.slice(0, SECTION_NAMED).map(({ field, was, before, after, hidden }) => {
    if (was !== 'changed') return `${field} ${words?.[was] ?? (was === 'set' ? 'added' : 'removed')}`;
    return hidden || section === 'files' || section === 'units'
      ? `${field} changed`
      : `${field} ${before ?? ''} → ${after ?? ''}`;
  });
  const more = fields.length - texts.length;
  return `${texts.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`.slice(0, CHANGE_LIMITS.titleCharacters);
}

const SECTION_NAMED = 2;
