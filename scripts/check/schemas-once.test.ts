import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const READS = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync']);

interface Node {
  type?: string;
  callee?: Node;
  object?: Node;
  property?: Node;
  name?: string;
  start?: number;
}

/** Returns true for `z.object(…)` and what is chained to it. */
function buildsSchema(node: Node | undefined): boolean {
  if (node?.type === 'CallExpression') return buildsSchema(node.callee);
  if (node?.type !== 'MemberExpression') return false;
  return node.object?.type === 'Identifier' ? node.object.name === 'z' : buildsSchema(node.object);
}

/** Lines that build a schema for a single reading. */
function builtPerCall(text: string): number[] {
  const lines: number[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node !== null) {
      const { type, callee, start = 0 } = node as Node;
      const isRead = type === 'CallExpression' && READS.has(callee?.property?.name ?? '');
      if (isRead && callee?.object?.type === 'CallExpression' && buildsSchema(callee.object))
        lines.push(text.slice(0, start).split('\n').length);
      Object.values(node).forEach(visit);
    }
  };
  visit(parseSync('a.ts', text).program);
  return lines;
}

test('a schema that is built where it reads is found', () => {
  expect(builtPerCall('const a = (x) =>\n  z.object({ b: z.string().min(1) }).strict().safeParse(x);')).toEqual([2]);
  expect(builtPerCall('const s = z.string();\nconst a = (x) => s.parse(x);\nconst n = (x) => JSON.parse(x);')).toEqual(
    [],
  );
});

/** One takes 10 kB and a hundred times as long to build as to use, and V8 keeps it until its next large collection. */
test('no program builds a schema for each value that it reads', () => {
  const files = globSync('{api,collector,web}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '**/generated/**', '**/testing/**', '**/*.test.*'],
  });
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return text.includes('z.') ? builtPerCall(text).map((line) => `${file}:${String(line)}`) : [];
  });
  expect(found).toEqual([]);
});
