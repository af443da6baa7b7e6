import type { ChangeSeen } from './evidence.ts';

/** Deploy marks without a place: they belong to whatever their title names. */

export const isWithoutPlace = ({ source, clusterId, serverId }: ChangeSeen): boolean =>
  source === 'deploy' && clusterId === null && serverId === null;

/** Words of many names: they count only where a title has no other. */
const COMMON =
  /^(?:api|app|backend|frontend|front|http|https|server|service|site|web|worker|www|com|example|org|net|internal|local|localhost)$/;
/** Words about deploying. */
const ABOUT =
  /^(?:and|build|deploy\w*|for|from|hotfix|into|live|new|prod|production|release\w*|roll\w*|staging|the|update\w*|upgrade\w*|version|with)$/;
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z][a-z0-9_]{2,}/g) ?? []).filter((word) => !ABOUT.test(word));

/** Returns true if the title of a deployment, such as "checkout 1.9.2", names one of these. */
export function isNamedIn(title: string, names: readonly string[]): boolean {
  const words = wordsOf(title);
  const own = words.filter((word) => !COMMON.test(word));
  return names.some((name) => {
    const parts = new Set(wordsOf(name));
    return own.length > 0
      ? own.some((word) => parts.has(word))
      : words.length > 0 && words.every((word) => parts.has(word));
  });
}
