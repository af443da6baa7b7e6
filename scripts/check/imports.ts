import { readFileSync, globSync, existsSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Matcher, type Rule, rules } from './import-rules.ts';

interface Violation {
  file: string;
  line: number;
  imported: string;
  rule: string;
}
export interface Report {
  files: number;
  imports: number;
  violations: Violation[];
}

interface Import {
  specifier: string;
  /** Only types come over: nothing of it is there at run time. */
  typeOnly: boolean;
  line: number;
}

const SOURCES = ['api/**/*.ts', 'collector/**/*.ts', 'web/src/**/*.{ts,tsx}'];
const skipped = /(^|\/)(node_modules|dist|generated|fixtures)\//;
const isTest = /\.(test|e2e)\.tsx?$|(^|\/)testing\//;

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** Every import of a module: static, re-exported and dynamic with a literal. */
function readImports(file: string, text: string): Import[] {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? 'does not parse'}`);
  const statics = module.staticImports.map((entry) => ({
    specifier: entry.moduleRequest.value,
    typeOnly: entry.entries.length > 0 && entry.entries.every((name) => name.isType),
    line: lineAt(text, entry.start),
  }));
  const exported = module.staticExports.flatMap((entry) =>
    entry.entries.flatMap((name) =>
      name.moduleRequest
        ? [{ specifier: name.moduleRequest.value, typeOnly: name.isType, line: lineAt(text, entry.start) }]
        : [],
    ),
  );
  const dynamic = module.dynamicImports.flatMap((entry) => {
    const literal = /^(['"])(.+)\1$/.exec(text.slice(entry.moduleRequest.start, entry.moduleRequest.end));
    return literal?.[2] ? [{ specifier: literal[2], typeOnly: false, line: lineAt(text, entry.start) }] : [];
  });
  return [...statics, ...exported, ...dynamic];
}

/** Resolves a specifier to a path inside the repository, a package (`pkg:name`), or a Node module (`node:fs`). */
function target(root: string, file: string, specifier: string): string {
  if (specifier.startsWith('.'))
    return relative(root, normalize(join(root, dirname(file), specifier)))
      .split(sep)
      .join('/');
  if (specifier.startsWith('@plimsoll/contract/'))
    return `api/contract/${specifier.slice('@plimsoll/contract/'.length)}.ts`;
  if (specifier.startsWith('node:')) return specifier;
  const [scope = '', name = ''] = specifier.split('/');
  return `pkg:${scope.startsWith('@') ? `${scope}/${name}` : scope}`;
}

const matches = (matcher: Matcher, path: string, importer: string): boolean =>
  typeof matcher === 'function' ? matcher(path, importer) : matcher.test(path);

const ruleOf = (file: string): Rule | undefined => rules.find((rule) => matches(rule.from, file, file));

function judge(file: string, entry: Import, to: string): string | null {
  const rule = ruleOf(file);
  if (!rule) return 'no rule covers this file: give its room one';
  const may =
    rule.may.some((matcher) => matches(matcher, to, file)) ||
    (entry.typeOnly && (rule.mayTypes ?? []).some((matcher) => matches(matcher, to, file)));
  if (!may) return rule.name;
  if (rule.notSibling && isSibling(rule, file, to)) return `${rule.name}: no other ${rule.notSibling.what}`;
  return null;
}

/** True when `to` is another unit of the same room: another page, another host source. */
function isSibling(rule: Rule, file: string, to: string): boolean {
  const unit = (path: string) => rule.notSibling?.unit.exec(path)?.[1];
  const other = unit(to);
  return other !== undefined && other !== unit(file);
}

/** Returns the cycles of the import graph; each is named once, by its files. */
function findCycles(graph: Map<string, string[]>): string[][] {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[][] = [];
  const visit = (file: string, path: string[]): void => {
    state.set(file, 'open');
    for (const next of graph.get(file) ?? []) {
      if (state.get(next) === 'open') cycles.push([...path.slice(path.indexOf(next)), next]);
      else if (!state.has(next)) visit(next, [...path, next]);
    }
    state.set(file, 'done');
  };
  for (const file of graph.keys()) if (!state.has(file)) visit(file, [file]);
  return cycles;
}

const environmentReads = (file: string, text: string): Violation[] =>
  file.endsWith('/config.ts') || isTest.test(file)
    ? []
    : text.split('\n').flatMap((source, index) =>
        /\bprocess\.env\b|\bimport\.meta\.env\b(?!\.(DEV|PROD))/.test(source)
          ? [
              {
                file,
                line: index + 1,
                imported: 'process.env',
                rule: 'the environment is read in the two config.ts only',
              },
            ]
          : [],
      );

/** Checks every source file below `root` against import-rules.ts. Tests may import what they test from anywhere. */
export function checkImports(root: string): Report {
  const files = globSync(SOURCES, { cwd: root })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !skipped.test(file));
  const graph = new Map<string, string[]>();
  const violations: Violation[] = [];
  let imports = 0;
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const found = readImports(file, text);
    imports += found.length;
    violations.push(...environmentReads(file, text));
    if (isTest.test(file)) continue;
    graph.set(
      file,
      found.map((entry) => target(root, file, entry.specifier)).filter((to) => existsSync(join(root, to))),
    );
    for (const entry of found) {
      const rule = judge(file, entry, target(root, file, entry.specifier));
      if (rule) violations.push({ file, line: entry.line, imported: entry.specifier, rule });
    }
  }
  for (const cycle of findCycles(graph))
    violations.push({ file: cycle[0] ?? '', line: 1, imported: cycle.join(' → '), rule: 'no cycles' });
  return { files: files.length, imports, violations };
}
