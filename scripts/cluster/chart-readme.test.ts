import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chartReadme, readValues } from './chart-readme.ts';

const chart = join(import.meta.dirname, '../../charts/plimsoll');

test('values with their path, default and meaning', () => {
  const yaml = `# not this\n# -- One\none: 1\ntwo:\n  # -- Three of two\n  three: [a]\n  four:\n    # -- Five\n    five:\n      - x: 1\n# -- Six\nsix: ""\n`;
  expect(readValues(yaml)).toEqual([
    { path: 'one', fallback: '1', meaning: 'One' },
    { path: 'two.three', fallback: '[a]', meaning: 'Three of two' },
    { path: 'two.four.five', fallback: 'see values.yaml', meaning: 'Five' },
    { path: 'six', fallback: '""', meaning: 'Six' },
  ]);
});

test('the README says what values.yaml says; make it anew with: npm run test:cluster -- readme', () => {
  expect(readFileSync(join(chart, 'README.md'), 'utf8')).toBe(chartReadme(chart));
});

test('every value the schema knows is described', () => {
  interface Schema {
    properties?: Record<string, Schema>;
  }
  const leaves = (schema: Schema, path: string): string[] =>
    schema.properties
      ? Object.entries(schema.properties).flatMap(([key, child]) => leaves(child, path === '' ? key : `${path}.${key}`))
      : [path];
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as Schema;
  const described = readValues(readFileSync(join(chart, 'values.yaml'), 'utf8')).map(({ path }) => path);
  expect(described.toSorted()).toEqual(
    leaves(schema, '')
      .filter((path) => path !== 'global')
      .toSorted(),
  );
});

// `helm upgrade --reuse-values` gives a newer chart the values of the older one: a missing group would be a nil pointer.
test('every group of values is required, so that values of an older chart are refused with the path', () => {
  interface Group {
    additionalProperties?: unknown;
    properties?: Record<string, Group>;
    required?: string[];
  }
  const groups = (schema: Group, path: string): string[] =>
    Object.entries(schema.properties ?? {})
      .filter(([, child]) => child.properties !== undefined && child.additionalProperties === false)
      .flatMap(([key, child]) => [
        ...(schema.required?.includes(key) === true ? [] : [`${path}${key}`]),
        ...groups(child, `${path}${key}.`),
      ]);
  expect(groups(JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as Group, '')).toEqual([]);
});
