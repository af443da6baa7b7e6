import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';

const [bun = 'bun is missing'] = globSync(join(import.meta.dirname, '../../../node_modules/@oven/bun-*/bin/bun'));

/** The program is shipped with Bun and developed on Node, which run children by different calls. */
describe.each([
  { runtime: 'Node', command: [process.execPath, '--input-type=module-typescript', '-e'] },
  { runtime: 'Bun', command: [bun, '-e'] },
])('a child on $runtime', ({ command: [executable = '', ...words] }) => {
  /** Runs a shell script that stands in the path as "tool"; returns the outcome of `systemExec` in that runtime. */
  function outcome(script: string, argv: readonly string[] = [], file = 'tool', limits = '', accepted = ''): string {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'tool'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'tool'), 0o755);
    const path = JSON.stringify(`${folder}:/usr/bin:/bin`);
    const program = `import { systemExec } from ${JSON.stringify(join(import.meta.dirname, 'exec.ts'))};
      const said = await systemExec(${path}${limits})(${JSON.stringify(file)}, ${JSON.stringify(argv)}${accepted}).catch((error) => error.message);
      process.stdout.write(said);`;
    const env = { ...process.env, SECRET: 'of the parent' };
    return execFileSync(executable, [...words, program], { encoding: 'utf8', env });
  }

  it('gives all that it printed, however much, and takes its words as they are', () => {
    expect(outcome('printf "%s|" "$@"', ['a b', '$HOME', '*'])).toBe('a b|$HOME|*|');
    expect(outcome('yes 0123456789abcde | head -c 1000000')).toHaveLength(1_000_000);
  });

  it('knows the path and a plain locale, and nothing of our environment; stands in the root; reads nothing', () => {
    expect(outcome('echo "$SECRET/$LC_ALL/$LANG"; pwd; cat')).toBe('/C/C\n/\n');
  });

  it('that is not there, fails or says why it failed is an error that names it', () => {
    expect(outcome('', [], 'no-such-program')).toBe('no-such-program: is not installed');
    expect(outcome('exit 3')).toBe('tool: failed (3)');
    // smartctl reports a drive that fails by its code.
    expect(outcome('echo found; exit 24', [], 'tool', '', ', (code) => code === 24')).toBe('found\n');
    expect(outcome('echo found; exit 2', [], 'tool', '', ', (code) => code === 24')).toBe('tool: failed (2)');
    expect(outcome('echo; echo "no bus" >&2; echo "more" >&2; exit 1')).toBe('tool: no bus');
  });

  it('that crashed is an error that says by what signal', () => {
    expect(outcome('kill -SEGV $$')).toBe('tool: ended by SIGSEGV');
    expect(outcome('kill -TERM $$')).toBe('tool: ended by SIGTERM');
  });

  it('that does not end, or does not stop talking, is ended', () => {
    expect(outcome('exec sleep 1000', [], 'tool', ', 50')).toBe(
      'tool: no answer within 50 ms, or one above 8388608 bytes',
    );
    expect(outcome('exec yes', [], 'tool', ', 60000, 20000')).toBe(
      'tool: no answer within 60000 ms, or one above 20000 bytes',
    );
  });
});
