import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showCommand } from './command-line.ts';

const shown = (argv: readonly string[], whole = true): string =>
  showCommand({ text: argv.join('\0'), whole }, 'x', false);

describe('showCommand', () => {
  it('joins the words and names a kernel thread', () => {
    expect(shown(['node', 'main.js', ''])).toBe('node main.js');
    expect(shown(['', ''])).toBe('[x]');
    expect(showCommand({ text: 'mysql\0-pabc', whole: true }, 'x', true)).toBe('mysql');
  });

  it.each([
    ['a password in a URL', ['app', 'postgres://bob:hunter2hunter2']],
    ['a password with separators in a URL', ['app', 'https://bob:hunter2:hunter2']],
    ['a token too short to be recognised', ['app', 'ghp_hunter2']],
    ['a pair', ['curl', '-u', 'bob:hunter2']],
    ['a word of a script', ['sh', '-c', 'echo a; app https://u:hunter2']],
    ['an option', ['app', '--x=hunter2']],
    ['a path that ends in a secret', ['java', '-cp', '/a/b.jar:/c.jar:hunter2']],
  ])('hides %s that the border cuts', (_name, argv) => {
    expect(shown(argv, false)).not.toContain('hunter2');
    expect(shown(argv, false)).toContain('[redacted]');
  });

  it('keeps the words before the border, and the whole paths of a class path', () => {
    expect(shown(['app', '--port=80', 'unfin'], false)).toBe('app --port=80 [redacted]');
    expect(shown(['app', '--port=80', ''], false)).toBe('app --port=80');
    expect(shown(['java', '-cp', '/a/b.jar:/c.jar:/d'], false)).toBe('java -cp /a/b.jar:/c.jar:[redacted]');
  });

  it('shows no part of a secret wherever the border is', () => {
    const secret = 'Zq8-hunter2-Lw5';
    const lines = [
      ['psql', `postgresql://app:${secret}@db:5432/shop`],
      ['curl', '-u', `admin:${secret}`, 'https://h'],
      ['mysql', `-p${secret}`],
      ['app', `--set=auth.password=${secret}`],
      ['sh', '-c', `cd /x && mysql -p${secret} db`],
      ['curl', '-H', `Authorization: Bearer ${secret}`],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(120), (argv, border) => {
        const text = argv.join('\0');
        const line = showCommand({ text: text.slice(0, border), whole: border > text.length }, 'x', false);
        for (let from = 0; from + 4 <= secret.length; from += 1)
          expect(line).not.toContain(secret.slice(from, from + 4));
      }),
    );
  });
});
