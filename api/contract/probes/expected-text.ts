import type { ExpectedText } from '../wire/check-probes.ts';

/** Deepest path into a document, so that one check cannot walk for long. */
const MOST_STEPS = 32;

/** Returns true if the body has the text, or the value at the path. `isPresent` is for the caller to compare. */
export function isFound(body: string, expect: ExpectedText): boolean {
  if (expect.kind === 'text') return body.includes(expect.text);
  const value = valueAt(body, expect.path);
  if (value === undefined || value === null) return false;
  if (expect.value === null) return true;
  return (typeof value === 'string' ? value : JSON.stringify(value)) === expect.value;
}

/** Returns the value at a path such as `status.db[0]`; undefined: it is not there, or the body is no JSON. */
export function valueAt(body: string, path: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  for (const step of stepsOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

const stepsOf = (path: string): string[] =>
  path
    .replace(/^\$\.?/, '')
    .replaceAll('[', '.')
    .replaceAll(']', '')
    .split('.')
    .map((step) => step.replace(/^["']|["']$/g, ''))
    .filter((step) => step !== '')
    .slice(0, MOST_STEPS);
