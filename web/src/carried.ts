/** Parameters of the address that go with a reader from page to page. */
const CARRIED = ['scope', 'at'] as const;
export type Carried = (typeof CARRIED)[number];

/** Pages of no fleet. */
const WITHOUT = /^\/(landing|login|auth|terms|privacy|status)(\/|$)/;

/** Returns the address with the parameters of `search` that go with the reader, unless it names its own. */
export function carry(to: string, search: string): string {
  if (!to.startsWith('/') || WITHOUT.test(to)) return to;
  const from = new URLSearchParams(search);
  const [rest = '', hash] = to.split(/(?=#)/, 2);
  const [path = '', query = ''] = rest.split('?', 2);
  const own = new URLSearchParams(query);
  const added = CARRIED.filter((name) => from.has(name) && !own.has(name));
  if (added.length === 0) return to;
  const extra = new URLSearchParams(added.map((name) => [name, from.get(name) ?? ''])).toString();
  return `${path}?${query === '' ? '' : `${query}&`}${extra}${hash ?? ''}`;
}

/** Returns `after` with the carried parameters of `before` that a page's own change left out. */
export function keepCarried(before: URLSearchParams, after: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(after);
  for (const name of CARRIED) {
    const value = before.get(name);
    if (value !== null && !kept.has(name)) kept.set(name, value);
  }
  return kept;
}
