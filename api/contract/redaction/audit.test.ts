import { describe, expect, it, test } from 'vitest';
import { AUDIT_HARMLESS, AUDIT_SECRETS } from './corpus-audit.ts';
import { redactCommand } from './redact.ts';
import { redactText } from './text.ts';

type Line = [kind: string, line: string];
function linesOf(corpus: string): Line[] {
  let kind = '';
  return corpus
    .trim()
    .split('\n')
    .flatMap((line): Line[] => {
      if (!line.startsWith('# ')) return [[kind, line.replaceAll('\\n', '\n')]];
      kind = line.slice(2);
      return [];
    });
}
const shownOf = ([kind, line]: Line): string => (kind === 'cmd' ? redactCommand(line) : redactText(line));

describe('lines of an audit', () => {
  it('have at least 109 of 120 secrets hidden', () => {
    const lines = linesOf(AUDIT_SECRETS);
    const missed = lines.filter(([kind, line]) => {
      const secret = /«([^»]*)»/.exec(line)?.[1] ?? '';
      // A part that stays visible is a miss, too.
      const parts = secret.split(/[\s,;]+/).filter((part) => part.length > 3 || secret.length < 6);
      expect(parts).not.toEqual([]);
      const shown = shownOf([kind, line.replaceAll(/[«»]/g, '')]);
      return parts.some((part) => shown.includes(part));
    });
    expect(lines).toHaveLength(120);
    expect(missed.length).toBeLessThanOrEqual(11);
  });

  it('are left alone where there is no secret, but for one', () => {
    const lines = linesOf(AUDIT_HARMLESS);
    expect(lines).toHaveLength(125);
    expect(lines.filter((line) => shownOf(line) !== line[1]).length).toBeLessThanOrEqual(1);
  });
});

test.each([
  ['password = Hunter2x', 'password = [redacted]'],
  ['secret_key => abc9Def', 'secret_key => [redacted]'],
  ['the key = what opens it', 'the key = what opens it'],
  ['{Authorization=Basic YWRtaW46c3VwZXI5OQ==}', '{Authorization=Basic [redacted]}'],
  ['secretKeyRef: {name: db, key: password}', 'secretKeyRef: {name: db, key: password}'],
  ['auth: {password: Hunter2x}', 'auth: {password: [redacted]}'],
  ['radius_secret Shale&Stone2', 'radius_secret [redacted]'],
  ['reset_password failed', 'reset_password failed'],
  ['ssl_password /etc/ssl/pass9.txt', 'ssl_password /etc/ssl/pass9.txt'],
  ['Uid=sa;Password=Thistle,Down7;', 'Uid=sa;Password=[redacted];'],
  ['hosts=a,b;mode=x,y;', 'hosts=a,b;mode=x,y;'],
  ['<add key="ApiSecret" value="Cedar@Hall1" />', '<add key="ApiSecret" value="[redacted]" />'],
  ['<add key="Colour" value="Cedar@Hall1" />', '<add key="Colour" value="Cedar@Hall1" />'],
])('%s is shown as %s', (text, shown) => {
  expect(redactText(text)).toBe(shown);
  expect(redactText(shown)).toBe(shown);
});
