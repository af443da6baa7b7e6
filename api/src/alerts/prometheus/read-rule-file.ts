import { setImmediate as nextTurn } from 'node:timers/promises';
import { ALERT_RULE_LIMITS, RULE_IMPORT_LIMITS } from '@plimsoll/contract/rules/alert-rule-limits';
import { printableText } from '@plimsoll/contract/rules/printable-text';
import { load, YAMLException } from 'js-yaml';
import { z } from 'zod';
import { ruleTexts, UnknownLine, type RuleText } from './rule-texts.ts';

/** A rule of the file as YAML has it. `name`: "rule 3 (PlimsollCpuUsage)". `id`: its label `plimsoll_rule`. */
export interface RawRule {
  name: string;
  id: string | null;
  raw: unknown;
}
interface RuleFile {
  entries: RawRule[];
  /** A problem of the file as a whole. */
  problem: string | null;
  /** Rules after those that fit. */
  notChecked: number;
}

/** The parser reads a hostile MiB in 3 s and cannot be stopped, so a larger file is read rule by rule. */
const WHOLE_CHARACTERS = 2 ** 16;
/** Characters of a rule without its expression, which can exclude 499 others and is not parsed as YAML. */
const RULE_CHARACTERS = 2 ** 14;
/** Other requests are answered after so many characters. */
const CHARACTERS_A_TURN = 2 ** 15;

/** A problem of the whole file. */
class FileProblem extends Error {}

/**
 * Parses a Prometheus rule file as YAML, up to the limit of new rules, in several turns of the event loop. `known`: ids of
 * rules that exist.
 */
export async function readRuleFile(text: string, known: ReadonlySet<string>): Promise<RuleFile> {
  const file: RuleFile = { entries: [], problem: null, notChecked: 0 };
  try {
    await readInto(file, text, known);
    return file.entries.length === 0 ? { ...file, problem: 'holds no rule.' } : file;
  } catch (error) {
    if (error instanceof UnknownLine)
      return {
        entries: [],
        notChecked: 0,
        problem: `is not laid out as an export: ${error.message}. Export it again.`,
      };
    if (!(error instanceof FileProblem)) throw error;
    return { entries: [], notChecked: 0, problem: error.message };
  }
}

async function readInto(file: RuleFile, text: string, known: ReadonlySet<string>): Promise<void> {
  const most = (RULE_IMPORT_LIMITS.rules + known.size) * ALERT_RULE_LIMITS.lines;
  const fresh = new Set<string>();
  let characters = 0;
  for (const one of text.length > WHOLE_CHARACTERS ? ruleTexts(text) : wholeFile(text)) {
    characters += one !== null && 'text' in one ? one.text.length : 0;
    if (one === null || characters >= CHARACTERS_A_TURN) {
      characters = 0;
      await nextTurn();
    }
    if (one === null) continue;
    if (file.problem !== null) {
      file.notChecked += 1;
      continue;
    }
    const raw = 'raw' in one ? one.raw : ruleIn(one);
    const [name, id] = [nameOf(raw, file.entries.length), idOf(raw)];
    if (id === null || !known.has(id)) fresh.add(id ?? name);
    if (fresh.size > RULE_IMPORT_LIMITS.rules || file.entries.length >= most) {
      file.problem = `holds more than ${String(RULE_IMPORT_LIMITS.rules)} rules that are new here. Import its groups one by one, or remove rules.`;
      file.notChecked += 1;
      continue;
    }
    file.entries.push({ name, id, raw });
  }
}

const idOf = (raw: unknown): string | null => {
  const labels = (raw as { labels?: { plimsoll_rule?: unknown } | null } | null)?.labels;
  return typeof labels?.plimsoll_rule === 'string' ? labels.plimsoll_rule : null;
};

function nameOf(raw: unknown, index: number): string {
  const alert = (raw as { alert?: unknown } | null | undefined)?.alert;
  return `rule ${String(index + 1)}${typeof alert === 'string' ? ` (${printableText(alert, 100)})` : ''}`;
}

/** A list as it is. `z.array` copies one, and an alias of YAML may name the same list in each of thousands of groups. */
const list = z.custom<readonly unknown[]>(Array.isArray);
const fileSchema = z.object({ groups: list });
const groupSchema = z.object({ rules: list.nullable().default([]) });

function loaded(text: string, firstLine = 0): unknown {
  try {
    return load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? '' : ` in line ${String(firstLine + error.mark.line + 1)}`;
    throw new FileProblem(`is not YAML${line}: ${error.reason}.`);
  }
}

function wholeFile(text: string): { raw: unknown }[] {
  const file = fileSchema.safeParse(loaded(text));
  const groups = file.success ? file.data.groups.map((group) => groupSchema.safeParse(group)) : null;
  if (groups === null || !groups.every((group) => group.success))
    throw new FileProblem('is no Prometheus rule file. Its top level must be "groups:", a list with "rules:".');
  const lists = groups.map(({ data }) => data.rules ?? []);
  // Each rule takes a character at least, unless an alias repeats it: 64 KiB can name 60 million.
  if (lists.reduce((sum, { length }) => sum + length, 0) > text.length)
    throw new FileProblem('repeats its rules by aliases of YAML. Write each rule once.');
  return lists.flatMap((rules) => rules.map((raw) => ({ raw })));
}

function ruleIn({ line, text }: RuleText): unknown {
  const { rest, expression } = withoutExpression(text);
  if (rest.length > RULE_CHARACTERS)
    throw new FileProblem(`has a rule of more than ${String(RULE_CHARACTERS)} characters in line ${String(line + 1)}.`);
  const content = loaded(rest, line);
  const raw: unknown = Array.isArray(content) ? content[0] : content;
  const isPlaced = typeof raw === 'object' && raw !== null && 'expr' in raw && raw.expr === PLACEHOLDER;
  return isPlaced ? { ...raw, expr: expression } : raw;
}

const PLACEHOLDER = 'The expression, which is a string of JSON.';
const EXPRESSION = /^ *(?:- +)?expr: (?=")/m;

/** Cuts the expression out of a rule if it stands on one line as the export writes it: a string of JSON. */
function withoutExpression(text: string): { rest: string; expression: unknown } {
  const found = EXPRESSION.exec(text);
  if (found === null) return { rest: text, expression: null };
  const start = found.index + found[0].length;
  const newline = text.indexOf('\n', start);
  const end = newline === -1 ? text.length : newline;
  try {
    const expression: unknown = JSON.parse(text.slice(start, end));
    return { rest: `${text.slice(0, start)}${JSON.stringify(PLACEHOLDER)}${text.slice(end)}`, expression };
  } catch {
    return { rest: text, expression: null };
  }
}
