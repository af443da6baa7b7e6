import { globSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../cluster/shell.ts';
import { compiledTool } from './tools.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Checks every workflow with actionlint, and compose.yaml with the loader of Docker Compose. Throws with the findings. */
export async function lintWorkflows(): Promise<string> {
  const files = globSync('.github/workflows/*.yml', { cwd: ROOT }).toSorted();
  capture(await compiledTool('actionlint'), ['-no-color', ...files], { cwd: ROOT });
  capture(await compiledTool('compose'), ['compose.yaml'], { cwd: ROOT });
  return `${String(files.length)} workflows and compose.yaml, no findings`;
}
