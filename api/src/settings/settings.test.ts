import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { SETTING_GROUPS, settingsReference } from './settings.ts';

/** Names that the start asks the environment for, each of them without an answer. */
function namesRead(): Set<string> {
  const asked = new Set<string>();
  loadConfig(
    new Proxy<Record<string, string | undefined>>(
      {},
      {
        get: (_, name) => {
          asked.add(String(name));
          return undefined;
        },
      },
    ),
    false,
  );
  return asked;
}

test('describes exactly the settings that the start reads, and which of them are secrets', () => {
  const described = SETTING_GROUPS.flatMap(({ rows }) => rows).flatMap(({ names, isSecret }) =>
    names.flatMap((name) => (isSecret ? [name, `${name}_FILE`] : [name])),
  );
  expect(described.toSorted()).toEqual([...namesRead()].toSorted());
});

test('docs/configuration.md is made of it; make it anew with: node api/src/cli/settings.ts > docs/configuration.md', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
  expect(docs).toBe(settingsReference());
});

test('README names only settings that exist', () => {
  const described = SETTING_GROUPS.flatMap(({ rows }) => rows).flatMap(({ names }) => names);
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const named = [...readme.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+)/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !described.includes(name))).toEqual([]);
});
