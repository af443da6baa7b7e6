/** One rule of a file as it is written. `line`: of its first line in the file, from 0. */
export interface RuleText {
  line: number;
  text: string;
}

/** The head of a list of rules, and what else stands between two rules: the head of a group, a mark, a comment. */
const HEAD = /^\s*(?:-\s+)?rules\s*:\s*(?:#.*)?$/;
const BETWEEN =
  /^\s*(?:$|#|---|\.\.\.|groups\s*:\s*(?:#.*)?$|(?:-\s+)?(?:rules\s*:\s*\[\s*\]\s*$|(?:name|interval|limit|query_offset)\s*:))/;
/** Longer lines belong to a rule. */
const HEAD_CHARACTERS = 200;
const LINES_A_TURN = 65_536;
/** In Unicode. */
const SPACE = 32;

/** A line that is neither a part of a rule nor of the head of a group. */
export class UnknownLine extends Error {
  constructor(line: number) {
    super(`line ${String(line + 1)} is neither a rule nor the head of a group`);
  }
}

/**
 * Cuts a rule file into its rules without parsing it, so that a reader can stop between two of them. Each rule of a group
 * begins with a dash as far in as that of the first one, as in an exported file. Null now and then, so that a reader can
 * pause between lines without a rule. Throws `UnknownLine`.
 */
export function* ruleTexts(text: string): Generator<RuleText | null> {
  let open: { line: number; start: number } | null = null;
  /** Spaces before the rules of the group; `head`: its first rule is still to come. */
  let indent: number | 'head' | null = null;
  let line = 0;
  for (let start = 0; start < text.length; line += 1) {
    if (line % LINES_A_TURN === 0) yield null;
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    const first = firstInk(text, start, end);
    const isBlank = first === end || '\n\r#'.includes(text[first] ?? '');
    const isDash: boolean = text[first] === '-' && !text.startsWith('---', first);
    if (indent === 'head' && isDash) indent = first - start;
    const isOutside: boolean = typeof indent !== 'number' || first - start <= indent;
    if (open !== null && isOutside && !isBlank) {
      yield { line: open.line, text: text.slice(open.start, start) };
      open = null;
    }
    if (isDash && first - start === indent) open = { line, start };
    else if (open === null && !isBlank) {
      const words = text.slice(start, Math.min(end, start + HEAD_CHARACTERS));
      if (HEAD.test(words)) indent = 'head';
      else if (!BETWEEN.test(words)) throw new UnknownLine(line);
    }
    start = end;
  }
  if (open !== null) yield { line: open.line, text: text.slice(open.start) };
}

function firstInk(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === SPACE) at += 1;
  return at;
}
