import { globSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../cluster/shell.ts';
import { compiledTool } from './tools.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Checks every workflow with actionlint. Throws with its findings. */
export async function lintWorkflows(): Promise<string> {
  const files = globSync('.github/workflows/*.yml', { cwd: ROOT }).toSorted();
  capture(await compiledTool('actionlint'), ['-no-color', ...files], { cwd: ROOT });
  return `${String(files.length)} workflows, no findings`;
}
