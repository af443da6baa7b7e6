/**
 * Conditions on labels as Kubernetes prints them: "app in (api,web),tier!=x" is `app in (api,web),tier notin (x)` here,
 * `zone` and `!gpu` require that a label exists or does not, `cores>4` and `cores<9` compare whole numbers.
 */
export interface LabelRequirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  /** Empty for Exists and DoesNotExist, one number as a text for Gt and Lt. */
  values: readonly string[];
}

/** Characters of label keys (with a domain) and of values; none of them separates parts of a selector. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9./_-]{0,316}$/;
const VALUE = /^[A-Za-z0-9._-]{0,253}$/;
/** Returns true for an int64, as Kubernetes parses these numbers. */
const isWholeNumber = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
export const SELECTOR_CHARACTERS = 4096;

/** Returns the selector of requirements that all must hold; null if one of them is none that Kubernetes accepts. */
export function formatSelector(requirements: readonly LabelRequirement[]): string | null {
  const parts = requirements.map(formatRequirement);
  const text = parts.join(',');
  return parts.includes(null) || text.length > SELECTOR_CHARACTERS ? null : text;
}

function formatRequirement({ key, operator, values }: LabelRequirement): string | null {
  if (!KEY.test(key) || !values.every((value) => VALUE.test(value))) return null;
  const [first] = values;
  switch (operator) {
    case 'In':
      return first === undefined ? null : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return first === undefined ? null : `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'Gt':
      return first !== undefined && isWholeNumber(first) ? `${key}>${first}` : null;
    case 'Lt':
      return first !== undefined && isWholeNumber(first) ? `${key}<${first}` : null;
    default:
      return null;
  }
}

/** Parses a selector; null for a text that `formatSelector` does not make. An empty text has no requirements. */
export function parseSelector(text: string): LabelRequirement[] | null {
  if (text.length > SELECTOR_CHARACTERS) return null;
  if (text === '') return [];
  const parsed = splitParts(text).map(parseRequirement);
  return parsed.every((one) => one !== null) ? parsed : null;
}

/** Splits at the commas outside brackets. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '(') isInside = true;
    else if (character === ')') isInside = false;
    else if (character === ',' && !isInside) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

function parseRequirement(part: string): LabelRequirement | null {
  if (KEY.test(part)) return { key: part, operator: 'Exists', values: [] };
  if (part.startsWith('!')) return checked({ key: part.slice(1), operator: 'DoesNotExist', values: [] });
  for (const [sign, operator] of [
    [' notin (', 'NotIn'],
    [' in (', 'In'],
  ] as const) {
    const at = part.indexOf(sign);
    if (at !== -1 && part.endsWith(')'))
      return checked({ key: part.slice(0, at), operator, values: part.slice(at + sign.length, -1).split(',') });
  }
  for (const [sign, operator] of [
    ['>', 'Gt'],
    ['<', 'Lt'],
  ] as const) {
    const at = part.indexOf(sign);
    if (at !== -1) return checked({ key: part.slice(0, at), operator, values: [part.slice(at + 1)] });
  }
  return null;
}

const checked = (requirement: LabelRequirement): LabelRequirement | null =>
  formatRequirement(requirement) === null ? null : requirement;

/** Returns true if labels meet every requirement, as the scheduler compares them. */
export const meets = (labels: Readonly<Record<string, string>>, requirements: readonly LabelRequirement[]): boolean =>
  requirements.every((one) => meetsOne(labels, one));

function meetsOne(labels: Readonly<Record<string, string>>, { key, operator, values }: LabelRequirement): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt': {
      if (value === undefined || !isWholeNumber(value)) return false;
      const [own, other] = [BigInt(value), BigInt(values[0] ?? '0')];
      return operator === 'Gt' ? own > other : own < other;
    }
    default:
      return false;
  }
}
