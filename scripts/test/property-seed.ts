import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';

/** Name of the environment variable that has the seed of property tests, a whole number. */
const VARIABLE = 'PLIMSOLL_PROPERTY_SEED';

/**
 * Returns the seed of property tests for the files of the last commit. The same files get the same seed, so that a change
 * that passed once is not refused for an input that nobody can draw again, and the next change draws others.
 * Null outside of a git repository.
 */
export function seedOfCommit(root: string): number | null {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8' });
  const tree = /^[\da-f]{40}/.exec(stdout ?? '')?.[0];
  return tree === undefined ? null : Number.parseInt(tree.slice(0, 7), 16);
}

/** Returns the environment with the seed of the last commit where one is wanted (in CI) and none is set. */
export function withSeed(env: NodeJS.ProcessEnv, root: string): NodeJS.ProcessEnv {
  if (env['CI'] !== 'true' || env[VARIABLE] !== undefined) return env;
  const seed = seedOfCommit(root);
  return seed === null ? env : { ...env, [VARIABLE]: String(seed) };
}

/** Gives the seed of the environment to all property tests of this process. Without one, each run draws its own. */
export function useSeed(env: NodeJS.ProcessEnv): void {
  const seed = Number(env[VARIABLE]);
  if (env[VARIABLE] !== undefined && Number.isSafeInteger(seed))
    fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
