import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { checkSync } from 'recheck';
import { beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Their time grows with the square of the input, and why that is short. */
const SHORT_INPUT: Readonly<Record<string, string>> = {
  '/\\/+$/': 'settings of the operator',
  '/^(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[\\da-f:.]*:[\\da-f:.]*)(?:\\/\\d{1,3})?$/i': 'settings of the operator',
  '/\\[?\\.?(?:"((?:[^"\\\\]|\\\\.)*)"|\'((?:[^\'\\\\]|\\\\.)*)\')\\]?|\\[([^\\]]*)\\]|\\.?([^.[]+)/g':
    'the path of a check, at most 256 characters',
  '/^[-.]+|[-.]+$/g': 'names of servers, at most 255 characters',
  '/(\\d+(?:\\.\\d+)?)(ms|s|m|h)/g': 'at most 32 characters',
  '/^([+-]?(?:\\d+\\.?\\d*|\\.\\d+))(?:[eE]([+-]?\\d{1,3})|(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]))?$/':
    'quantities that the API server of Kubernetes has checked',
  '/([A-Za-z_]\\w*)="((?:[^"\\\\]|\\\\.)*)"/g': 'labels of a line of kube-state-metrics',
  '/(\\d+)(ms|[smhdwy])/g': 'digits that another, linear expression has found well formed',
  '/(^|\\n)\\s*$/': '20 characters',
  '/[:@][^/]*$/': 'name of an image, at most 512 characters',
  '/0+$/': 'six digits',
  '/^[^\\p{Letter}]+|[^\\p{Letter}]+$/gu': 'a password, at most 1,024 characters',
  '/«([^»]*)»/g': 'lines of our own corpus',
  '/[\\w.-]*$/': '130 characters',
  '/^https?:\\/\\/([^/?#\\\\]*)(.*)$/i': 'settings of the operator',
  '/[\\d.,:-]+(?: ?(?:per cent|%|[a-z]+))? \\(unverified\\)/gi': 'an answer of a model, at most 16 KB',
  '/```[^`]*```|`[^`\\n]*`|\\]\\([^)\\n]*\\)/g': 'an answer of a model, at most 16 KB',
};

interface Literal {
  file: string;
  pattern: string;
  flags: string;
}

/** Every regular expression of the programs, once. */
function literals(): Literal[] {
  const found = new Map<string, Literal>();
  const files = globSync('{api,collector,web}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '**/generated/**', '**/testing/**', '**/*.test.*'],
  });
  for (const file of files) {
    const visit = (node: unknown): void => {
      if (Array.isArray(node)) node.forEach(visit);
      else if (typeof node === 'object' && node !== null) {
        if ('regex' in node && node.regex) {
          const { pattern, flags } = node.regex as { pattern: string; flags: string };
          found.set(`/${pattern}/${flags}`, { file, pattern, flags });
        }
        Object.values(node).forEach(visit);
      }
    };
    visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program);
  }
  return [...found.values()].filter(({ pattern }) => /[*+]|,\}/.test(pattern));
}

/** Linear, polynomial or exponential; nothing is known of a few that it cannot decide in the time. */
const check = (pattern: string, flags: string, timeout = 100) =>
  checkSync(pattern, flags, { checker: 'automaton', timeout });

beforeAll(() => {
  // Its other backends are a program for each platform and a Java machine.
  process.env['RECHECK_BACKEND'] = 'pure';
});

test('a pattern that a text can hold up for ever is found', () => {
  expect(check('^(a+)+$', '', 10_000)).toMatchObject({ complexity: { type: 'exponential' } });
  expect(check('\\d+$', '', 10_000)).toMatchObject({ complexity: { type: 'polynomial' } });
  expect(check('^\\d+$', '', 10_000).status).toBe('safe');
});

test('no text of a host or a person holds a regular expression up', () => {
  const slow = literals().flatMap(({ file, pattern, flags }) => {
    const found = check(pattern, flags);
    if (found.status !== 'vulnerable') return [];
    const { complexity } = found;
    return complexity.type === 'polynomial' && SHORT_INPUT[`/${pattern}/${flags}`] !== undefined
      ? []
      : [`${file}: /${pattern}/${flags} ${complexity.summary}`];
  });
  expect(slow).toEqual([]);
});
