import { expect, it } from 'vitest';
import { plainLanguageViolations } from './plain-language.ts';

it.each([
  ['a comment that starts with What', 'api/src/reports/x.ts', '\n/** What a report holds. */\n', 2, 'a comment starts'],
  ['a comment that starts with Of', 'web/src/api/x.ts', '// Of each server.\n', 1, 'a comment starts'],
  ['a personified UI text', 'web/src/pages/x.tsx', "const text = 'The kernel does not tell';", 1, 'a UI text'],
  ['a personified JSX text', 'web/src/pages/x.tsx', '<p>\n  The agent remembers it.\n</p>', 1, 'a UI text'],
  ['a rule without a verb', 'api/contract/rules/x.ts', '/** A band. */\nexport function band() {}', 1, 'the doc of'],
  [
    'a port method without a verb',
    'api/src/servers/store.ts',
    '{\n  /** Newest first. */\n  list(): void;',
    2,
    'the doc of',
  ],
])('finds %s', (_case, file, text, line, rule) => {
  const violations = plainLanguageViolations(file, text);
  expect(violations).toHaveLength(1);
  expect(violations[0]).toContain(`${file}:${String(line)}: ${rule}`);
});

it.each([
  ['a question', 'api/src/reports/x.ts', '// What if the report is late? The ledger decides.'],
  ['a folder that is not listed', 'collector/src/host/x.ts', '/** What it reads. */'],
  [
    'a doc that starts with a verb',
    'api/contract/rules/x.ts',
    '/** Returns the band. */\nexport const band = () => 1;',
  ],
  ['a doc of a type', 'api/contract/rules/x.ts', '/** A band. */\nexport type Band = string;'],
  ['a test', 'web/src/pages/x.test.tsx', "it('Tells the reason', () => {});"],
])('accepts %s', (_case, file, text) => {
  expect(plainLanguageViolations(file, text)).toEqual([]);
});
