import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findRouteWrites } from './route-writes.ts';

const PORT = `
  export interface Silences {
    list(owner: Owner): Promise<Silence[]>;
    findByName(owner: Owner, name: string): Promise<Silence | null>;
    withdraw(owner: Owner, id: string): Promise<boolean>;
    replace: (owner: Owner, silence: Silence) => Promise<void>;
  }`;

function found(route: string, file = 'api/src/alerts/routes/silences.ts'): string[] {
  const root = mkdtempSync(join(tmpdir(), 'plimsoll-routes-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ 'api/src/alerts/store.ts': PORT, [file]: route })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findRouteWrites(root).map((line) => line.replace(/^.* takes (\w+) .*$/, '$1'));
}

test.each([
  ['deps.storage.silences.withdraw(owner, id);', 'withdraw'],
  ['await deps.storage.silences?.withdraw(owner, id);', 'withdraw'],
  ["deps.storage.silences['withdraw'](owner, id);", 'withdraw'],
  ['const { silences } = deps.storage; silences.replace(owner, one);', 'replace'],
  ['const { silences: those } = deps.storage; those.replace(owner, one);', 'replace'],
  ['const { storage: { silences } } = deps; silences.withdraw(owner, id);', 'withdraw'],
  ['const { withdraw } = deps.storage.silences; withdraw(owner, id);', 'withdraw'],
  ['const those = deps.storage.silences; ids.map(those.withdraw);', 'withdraw'],
  ['const those = (deps.storage as Storage).silences; those!.withdraw(owner, id);', 'withdraw'],
  ['const route = ({ storage }: Deps) => storage.silences.withdraw(owner, id);', 'withdraw'],
  ['function route({ storage: kept }: Deps) { return kept.silences.withdraw(owner, id); }', 'withdraw'],
  ["const end = (silences: Pick<Silences, 'withdraw'>) => silences.withdraw(owner, id);", 'withdraw'],
  ['deps.storage.inTransaction(async (stores) => stores.silences.list(owner));', 'inTransaction'],
  [
    'deps.storage.silences.list(owner); const f = () => those.withdraw(id); const those = deps.storage.silences;',
    'withdraw',
  ],
])('a route that writes is refused: %s', (route, method) => {
  expect(found(route)).toEqual([method]);
  expect(found(route, 'api/src/alerts/routes.ts')).toEqual([method]);
});

test.each([
  'await deps.storage.silences.list(owner);',
  "const { silences } = deps.storage; await silences.findByName(owner, 'night');",
  'deps.streams.replace(owner); text.replace(/a/, b);',
  'await withdrawSilence(deps, actor, id);',
])('a route that reads or calls a verb is not: %s', (route) => {
  expect(found(route)).toEqual([]);
});

test.each(['api/src/alerts/withdraw-silence.ts', 'api/src/alerts/routes/silences.pg.test.ts'])(
  '%s may write',
  (file) => {
    expect(found('deps.storage.silences.withdraw(owner, id);', file)).toEqual([]);
  },
);
