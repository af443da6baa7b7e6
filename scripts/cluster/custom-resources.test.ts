import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { customResourceTemplates } from './custom-resources.ts';

const folder = join(import.meta.dirname, '../../charts/plimsoll/templates/custom-resources');
const templates = customResourceTemplates();

test('the templates say what the schemas of the API say; write them anew with: npm run test:cluster -- crds', () => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(templates).toSorted());
  for (const [name, text] of Object.entries(templates)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
});

test('the schemas are structural: camelCase keys, no defaults, no closed objects', () => {
  for (const text of Object.values(templates)) {
    expect(text).not.toMatch(/\b(?:default|additionalProperties): (?:true|false)/);
    expect(text.match(/^ {16,}\w*_\w*:/gm)).toBeNull();
    expect(text).toContain('status: {}');
    expect(text).toContain('categories: ["plimsoll"]');
  }
});
