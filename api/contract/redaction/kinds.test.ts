import { describe, expect, it, test } from 'vitest';
import { COMMANDS_SEEN } from './corpus-harmless-commands.ts';
import { COMMANDS_HELD_OUT } from './corpus-harmless-held-out.ts';
import { TEXTS_HELD_OUT, TEXTS_SEEN } from './corpus-harmless-texts.ts';
import { KINDS_HELD_OUT, KINDS_SEEN } from './corpus-kinds.ts';
import { redactCommand } from './redact.ts';
import { redactText } from './text.ts';

interface Line {
  kind: string;
  redact: (text: string) => string;
  text: string;
  secret: string;
}
const linesOf = (text: string): string[] => text.trim().split('\n');

const parse = (text: string): Line[] =>
  linesOf(text).map((line) => {
    const [, kind = '', isText, marked = ''] = /^(\w+) :: (t :: )?(.*)$/.exec(line) ?? [];
    const secret = (/«([^»]*)»/.exec(marked)?.[1] ?? '').replace('¦', '');
    return { kind, redact: isText ? redactText : redactCommand, text: marked.replaceAll(/[«»¦]/g, ''), secret };
  });

const harmlessOf = (commands: string, texts: string): Pick<Line, 'redact' | 'text'>[] => [
  ...linesOf(commands).map((text) => ({ redact: redactCommand, text })),
  ...linesOf(texts).map((text) => ({ redact: redactText, text })),
];

/** Words of the line that no longer stand in it. */
const lostWords = ({ redact, text }: Pick<Line, 'redact' | 'text'>): string[] => {
  const shown = new Set(redact(text).split(/\s+/));
  return text.split(/\s+/).filter((word) => !shown.has(word));
};

describe.each([
  ['the rules were made with', KINDS_SEEN, COMMANDS_SEEN, TEXTS_SEEN],
  ['the rules had not met', KINDS_HELD_OUT, COMMANDS_HELD_OUT, TEXTS_HELD_OUT],
])('the half that %s', (_half, secrets, commands, texts) => {
  const lines = parse(secrets);
  const harmless = harmlessOf(commands, texts);

  it('has at least 95 % of its secrets hidden', () => {
    expect(lines.every(({ secret }) => secret.length > 3)).toBe(true);
    const shown = lines.filter(({ redact, text, secret }) => redact(text).includes(secret));
    expect(shown.length / lines.length).toBeLessThanOrEqual(0.05);
  });

  it('keeps at least 98 % of its harmless words', () => {
    const words = harmless.flatMap(({ text }) => text.split(/\s+/));
    const lost = harmless.flatMap(lostWords);
    expect(lost.length / words.length).toBeLessThanOrEqual(0.02);
  });

  it('changes nothing when redacted twice', () => {
    for (const { redact, text } of [...lines, ...harmless]) {
      const once = redact(text);
      expect(redact(once)).toBe(once);
    }
  });
});

test('the corpus has 250 secrets of seven kinds and 600 harmless lines', () => {
  const lines = parse(KINDS_SEEN + KINDS_HELD_OUT.trimStart());
  expect(lines.length).toBeGreaterThanOrEqual(250);
  expect(new Set(lines.map(({ kind }) => kind)).size).toBe(7);
  const harmless = [COMMANDS_SEEN, COMMANDS_HELD_OUT, TEXTS_SEEN, TEXTS_HELD_OUT].flatMap(linesOf);
  expect(harmless.length).toBeGreaterThanOrEqual(600);
});
