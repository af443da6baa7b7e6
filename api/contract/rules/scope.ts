/** Keys of a scope. Terms of one key are alternatives; every key must match. */
export const SCOPE_KEYS = ['tag', 'region', 'cluster', 'status'] as const;
export type ScopeKey = (typeof SCOPE_KEYS)[number];

export interface ScopeTerm {
  key: ScopeKey;
  value: string;
}
/** An empty scope is everything. */
export type Scope = readonly ScopeTerm[];

export const SCOPE_LIMITS = { characters: 1000, terms: 20 } as const;

/** The facts of a server or node that a scope compares; null is unknown and matches nothing. */
export interface ScopedSubject {
  tags: Readonly<Record<string, string>>;
  region: string | null;
  /** Id and name of the Kubernetes clusters it is a node of. */
  clusters: readonly string[];
  status: string | null;
}

export type ParsedScope = { scope: Scope } | { problem: string };

const KEYS = `${SCOPE_KEYS.slice(0, -1).join(', ')} or ${SCOPE_KEYS.at(-1) ?? ''}`;
const isKey = (text: string): text is ScopeKey => SCOPE_KEYS.some((key) => key === text);

/** Splits at commas; "\," is a comma and "\\" a backslash of the value. */
function splitTerms(text: string): string[] {
  const parts: string[] = [''];
  for (const [piece] of text.matchAll(/\\[^]|[^]/gu)) {
    if (piece === ',') parts.push('');
    else parts.push((parts.pop() ?? '') + piece);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
const unescaped = (value: string): string => value.replaceAll(/\\([,\\])/g, '$1');
const escaped = (value: string): string => value.replaceAll(/[,\\]/g, '\\$&');

function parseTerm(part: string): ScopeTerm | { problem: string } {
  const at = part.indexOf(':');
  if (at === -1) return { problem: `"${part.slice(0, 64)}" has no key. Write ${KEYS} and a colon before it` };
  const key = part.slice(0, at).trim().toLowerCase();
  if (!isKey(key)) return { problem: `"${key.slice(0, 64)}" is not a key of a scope. Use ${KEYS}` };
  const value = unescaped(part.slice(at + 1)).trim();
  return value === '' ? { problem: `"${key}:" has no value. Write one behind the colon` } : { key, value };
}

const sameTerm = (a: ScopeTerm, b: ScopeTerm): boolean =>
  a.key === b.key && a.value.toLowerCase() === b.value.toLowerCase();

/**
 * Parses `tag:prod,region:fra`. A term is `key:value`: `tag:name=value` is that tag, `tag:word` a tag of that name or
 * that value. A repeated term counts once.
 */
export function parseScope(text: string): ParsedScope {
  if (text.length > SCOPE_LIMITS.characters)
    return { problem: `must be at most ${String(SCOPE_LIMITS.characters)} characters` };
  const scope: ScopeTerm[] = [];
  for (const part of splitTerms(text)) {
    const term = parseTerm(part);
    if ('problem' in term) return term;
    if (!scope.some((one) => sameTerm(one, term))) scope.push(term);
  }
  return scope.length > SCOPE_LIMITS.terms
    ? { problem: `must have at most ${String(SCOPE_LIMITS.terms)} terms` }
    : { scope };
}

/** Returns the text that `parseScope` parses to the same scope. */
export const formatScope = (scope: Scope): string =>
  scope.map(({ key, value }) => `${key}:${escaped(value)}`).join(',');

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function matchesTag(tags: ScopedSubject['tags'], wanted: string): boolean {
  const entries = Object.entries(tags);
  const at = wanted.indexOf('=');
  if (at === -1) return entries.some(([name, value]) => same(name, wanted) || same(value, wanted));
  return entries.some(([name, value]) => same(name, wanted.slice(0, at)) && same(value, wanted.slice(at + 1)));
}

function matchesTerm(subject: ScopedSubject, { key, value }: ScopeTerm): boolean {
  if (key === 'tag') return matchesTag(subject.tags, value);
  if (key === 'cluster') return subject.clusters.some((cluster) => same(cluster, value));
  const actual = key === 'region' ? subject.region : subject.status;
  return actual !== null && same(actual, value);
}

/** Returns true if, of every key in the scope, at least one term matches. Case does not matter. */
export const matchesScope = (subject: ScopedSubject, scope: Scope): boolean =>
  SCOPE_KEYS.every((key) => {
    const terms = scope.filter((term) => term.key === key);
    return terms.length === 0 || terms.some((term) => matchesTerm(subject, term));
  });
