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

/** Returns the value at a path such as `status.db[0]` or `["a.b"].c`; undefined: it is not there, or the body is no JSON. */
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

/** A quoted name in brackets or after a dot, an index in brackets, or a bare name. */
const STEP = /\[?\.?(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\]?|\[([^\]]*)\]|\.?([^.[]+)/g;

/** Quotes keep dots and brackets within a name: `["a.b"].c`. A leading `$` is the document, but `$schema` is a name. */
const stepsOf = (path: string): string[] =>
  [...path.replace(/^\$(?=[.[]|$)/, '').matchAll(STEP)]
    .map(([, double, single, index, bare]) => {
      const quoted = double ?? single;
      return quoted === undefined ? (index ?? bare ?? '') : quoted.replaceAll(/\\(.)/g, '$1');
    })
    .filter((step) => step !== '')
    .slice(0, MOST_STEPS);
