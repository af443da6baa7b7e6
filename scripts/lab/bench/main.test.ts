import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const benchmarks = readdirSync(import.meta.dirname)
  .map((file) => /^([a-z]+)\.ts$/.exec(file)?.[1] ?? 'main')
  .filter((name) => name !== 'main');
const bench = (...words: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...words], { encoding: 'utf8' });

describe('npm run bench', () => {
  test.each(benchmarks)('%s tells its options, measuring nothing', (name) => {
    const { status, stdout } = bench(name, '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: npm run bench -- ${name} \\[options\\]\n\\w`));
  });

  test('an option or a benchmark that is none ends with 2 and says what there is', () => {
    const option = bench('agent', '--sekonds', '3');
    expect([option.status, option.stderr]).toEqual([2, expect.stringContaining('agent has no option --sekonds')]);
    expect(option.stderr).toContain('--seconds N');
    const name = bench('agents');
    expect([name.status, name.stderr]).toEqual([2, expect.stringContaining('Unknown benchmark "agents"')]);
    expect(name.stderr).toContain('ingest');
  });
});
