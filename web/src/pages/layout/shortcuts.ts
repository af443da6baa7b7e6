import { paths } from '../../paths.ts';

/** After "g", the page each letter goes to. */
export const GO_TO = [
  { key: 'd', name: 'Dashboard', to: paths.dashboard },
  { key: 's', name: 'Servers', to: paths.servers },
  { key: 'k', name: 'Kubernetes', to: paths.kubernetes },
  { key: 'a', name: 'Alerts', to: paths.alerts },
  { key: 'y', name: 'Activity', to: paths.activity },
  { key: 'n', name: 'Network', to: paths.network },
  { key: 'p', name: 'Processes', to: paths.processes },
  { key: 'c', name: 'AI Chat', to: paths.aiChat },
  { key: 'u', name: 'Setup', to: paths.setup },
  { key: 'o', name: 'Profile', to: paths.profile },
] as const;

export type Command =
  | { kind: 'go'; to: string }
  | { kind: 'palette' }
  | { kind: 'help' }
  | { kind: 'search' }
  | { kind: 'neighbour'; step: 1 | -1 };

export interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The second key of "g d" must follow within this many milliseconds. */
const SEQUENCE_MS = 1500;

const SINGLE: Record<string, Command> = {
  '?': { kind: 'help' },
  '/': { kind: 'search' },
  '[': { kind: 'neighbour', step: -1 },
  ']': { kind: 'neighbour', step: 1 },
};

/** Reads keys one by one; null while they mean nothing. `typing`: the keys go into a field and only Ctrl+K counts. */
export function createShortcuts() {
  let goSince = Number.NEGATIVE_INFINITY;
  return (pressed: Key, typing: boolean, nowMs: number): Command | null => {
    const waiting = nowMs - goSince <= SEQUENCE_MS;
    goSince = Number.NEGATIVE_INFINITY;
    const key = pressed.key.toLowerCase();
    if (pressed.ctrlKey || pressed.metaKey) return key === 'k' && !pressed.altKey ? { kind: 'palette' } : null;
    if (typing || pressed.altKey) return null;
    const page = waiting ? GO_TO.find((each) => each.key === key) : undefined;
    if (page !== undefined) return { kind: 'go', to: page.to };
    if (key === 'g') goSince = nowMs;
    return Object.hasOwn(SINGLE, key) ? (SINGLE[key] ?? null) : null;
  };
}

/** The server before or after one in a list; it goes round. Null when it is not there or alone. */
export function neighbour(ids: readonly string[], id: string, step: 1 | -1): string | null {
  const at = ids.indexOf(id);
  if (at < 0 || ids.length < 2) return null;
  return ids[(at + step + ids.length) % ids.length] ?? null;
}
