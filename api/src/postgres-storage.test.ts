import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SOURCE = readFileSync(new URL('postgres-storage.ts', import.meta.url), 'utf8');
const ADAPTER = /import \{([^}]*)\} from '(\.\/[a-z-]+\/postgres[^']*)';/g;

it('takes from adapters what creates a store, or a port: never a function to hand to another adapter', async () => {
  const found = [...SOURCE.matchAll(ADAPTER)].flatMap(([, names = '', path = '']) =>
    names.split(',').map((name) => ({ name: name.trim(), path })),
  );
  const others = found.filter(({ name }) => name !== '' && !name.startsWith('create'));
  const kinds = await Promise.all(
    others.map(async ({ name, path }) => {
      const adapter = (await import(/* @vite-ignore */ path)) as Record<string, unknown>;
      return [name, typeof adapter[name]];
    }),
  );
  expect(found.length).toBeGreaterThan(50);
  expect(kinds.length).toBeGreaterThan(0);
  expect(kinds.filter(([, kind]) => kind !== 'object')).toEqual([]);
});
