import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, stampOf } from './stamp.ts';

export { ROOT };

const INPUTS = ['web/src/**/*', 'web/public/**/*', 'web/*.{html,ts,json}', 'api/contract/**/*.ts', 'package-lock.json'];

/** Builds web/dist unless it already stands for today's sources. Returns whether it had to; throws when it failed. */
export function buildWeb(log: (line: string) => void): boolean {
  const stamp = stampOf('web', INPUTS, 'web/dist/index.html');
  if (stamp.isFresh()) return false;
  const started = Date.now();
  log('building the dashboard …');
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build'], {
    cwd: join(ROOT, 'web'),
    stdio: ['ignore', 'ignore', process.stderr],
  });
  if (status !== 0)
    throw new Error(`the dashboard did not build (vite exit ${String(status)}); its messages are above`);
  stamp.keep();
  log(`building the dashboard: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return true;
}
