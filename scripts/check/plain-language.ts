import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders whose comments follow the rule about openings. Add a folder after rewording its comments. */
const CLEAN_FOLDERS: ReadonlySet<string> = new Set([
  'api/contract/rules',
  'api/contract/rules/checks',
  'api/contract/rules/host-metrics',
  'api/contract/rules/servers',
  'api/contract/wire',
  'api/contract/wire/accounts',
  'api/contract/wire/alerts',
  'api/contract/wire/checks',
  'api/src',
  'api/src/activity',
  'api/src/ai',
  'api/src/cli',
  'api/src/database/embedded',
  'api/src/jobs',
  'api/src/processes',
  'api/src/processes/postgres',
  'api/src/reports',
  'api/src/series',
  'api/src/series/postgres',
  'api/src/servers',
  'api/src/servers/postgres',
  'api/src/servers/routes',
  'api/src/telemetry',
  'collector/src/kubernetes/testing',
  'scripts/lab/bench/api',
  'scripts/lab/bench/web',
  'scripts/build',
  'scripts/screenshot',
  'scripts/test',
  'web/src/api',
  'web/src/api/live',
  'web/src/components/chart/markers',
  'web/src/format',
  'web/src/pages/activity',
  'web/src/pages/ai-chat',
  'web/src/pages/dashboard',
  'web/src/pages/kubernetes-node',
  'web/src/pages/kubernetes-nodes',
  'web/src/pages/login',
  'web/src/pages/network',
  'web/src/pages/processes',
  'web/src/pages/terms',
  'web/src/time',
]);

/** Files whose functions have docs that start with a verb: the shared rules and schemas, and the ports. */
const VERB_DOCS =
  /^api\/contract\/(rules|wire)\/|^api\/src\/(accounts|activity|live|processes|reports|series|servers)\/store\.ts$/;

const COMMENT_START = /(?:\/\/+|^[ \t]*\*(?!\/)|\/\*\*?)[ \t]?(\S[^\n]*)/gm;
const BANNED_OPENING = /^(What|Whether|Those|Of|How|Who|Where)\b(?![^.]*\?)/;
const UI_TEXT = /'([A-Z][^'\n]*)'|`([^`\n]*)`|>([^<>{}=;]+)</g;
const PERSONIFIED = /\b(tells?|told|knows|hears?|heard|remembers?)\b/;
const FUNCTION_DOC =
  /\/\*\*\s*(?:\*\s*)?(\S+)(?:[^*]|\*(?!\/))*\*\/\s*\n(?=[ \t]*(?:(?:export )?(?:async )?function\b|(?:export )?const \w+ = (?:async )?\(|[a-zA-Z]+(?:<[^>\n]*>)?\())/g;
const VERB = /^[A-Z][a-z]+s$/;

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** Returns the violations of one file, as `file:line: rule`. */
export function plainLanguageViolations(file: string, text: string): string[] {
  const found: string[] = [];
  const report = (index: number, rule: string) => found.push(`${file}:${String(lineOf(text, index))}: ${rule}`);
  if (CLEAN_FOLDERS.has(dirname(file)))
    for (const match of text.matchAll(COMMENT_START))
      if (BANNED_OPENING.test(match[1] ?? '')) report(match.index, 'a comment starts with its subject or a verb');
  const isTest = file.includes('.test.');
  if (file.startsWith('web/src/') && !file.startsWith('web/src/testing/') && !isTest)
    for (const match of text.matchAll(UI_TEXT))
      if (PERSONIFIED.test(match[1] ?? match[2] ?? match[3] ?? ''))
        report(match.index, 'a UI text names what the program does; it does not tell, know, hear or remember');
  if (VERB_DOCS.test(file) && !isTest)
    for (const match of text.matchAll(FUNCTION_DOC))
      if (!VERB.test(match[1] ?? ''))
        report(match.index, 'the doc of a function starts with a verb, such as "Returns"');
  return found;
}

/** Returns the violations of all source files of the repository. */
export function findPlainLanguageViolations(root: string): string[] {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' }).split('\n');
  return files
    .filter((file) => file !== '')
    .flatMap((file) => plainLanguageViolations(file, readFileSync(join(root, file), 'utf8')));
}
