import { closeSync, openSync, type writeSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { isTerminal, writeText } from './terminal.ts';

/** Takes so many bytes at a time, or fails with the code. */
function pipe(most: number, failure: string | null = null): { got: string[]; write: typeof writeSync } {
  const got: string[] = [];
  const write = (_descriptor: number, bytes: Buffer, from: number): number => {
    if (failure !== null) throw Object.assign(new Error(failure), { code: failure });
    const part = bytes.subarray(from, from + most);
    got.push(part.toString());
    return part.length;
  };
  return { got, write: write as unknown as typeof writeSync };
}

it('writes all of a text, however little is taken at a time', () => {
  const { got, write } = pipe(3);
  writeText(1, 'ten bytes.', write);
  expect(got).toEqual(['ten', ' by', 'tes', '.']);
});

it('goes on when nobody reads it any more', () => {
  expect(() => writeText(2, 'unheard', pipe(3, 'EPIPE').write)).not.toThrow();
});

it('tells a terminal from a file, a pipe and the device that swallows everything', () => {
  for (const path of ['/dev/null', import.meta.filename]) {
    const descriptor = openSync(path, 'r');
    expect(isTerminal(descriptor)).toBe(false);
    closeSync(descriptor);
  }
  expect(isTerminal(12_345)).toBe(false);
  const program = `import { isTerminal } from ${JSON.stringify(join(import.meta.dirname, 'terminal.ts'))};
    process.exitCode = isTerminal(0) ? 10 : 20;`;
  const argv = ['--input-type=module-typescript', '-e', program];
  expect(spawnSync(process.execPath, argv, { input: '' }).status).toBe(20);
  // script(1) of util-linux gives the program a terminal.
  const quoted = [process.execPath, ...argv].map((word) => `'${word}'`).join(' ');
  const inTerminal = spawnSync('script', ['-qec', quoted, '/dev/null'], { stdio: ['ignore', 'ignore', 'ignore'] });
  expect(inTerminal.error === undefined ? inTerminal.status : 10).toBe(10);
});
