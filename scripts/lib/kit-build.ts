import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { VERSION } from '../../collector/src/version.ts';
import { ROOT, stampOf } from './stamp.ts';

const INPUTS = [
  'collector/src/**/*',
  'collector/units/*',
  'api/contract/*.ts',
  'scripts/install.sh',
  'package-lock.json',
];

/**
 * Builds the installable collector for platforms like this machine in the background, so that the Setup page's command
 * works for them. Other platforms: npm run build:agent. A failure is said and stops nothing.
 */
export function buildLocalKit(say: (line: string) => void): void {
  const target = `${process.platform}-${process.arch}`;
  const stamp = stampOf(`kit-${target}`, INPUTS, `dist/agent/${VERSION}/plimsoll-${VERSION}-${target}.tar.gz`);
  if (stamp.isFresh()) return;
  const child = spawn(process.execPath, [join(ROOT, 'scripts/agent-build/main.ts'), '--target', target], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const messages: Buffer[] = [];
  child.stderr.on('data', (part: Buffer) => messages.push(part));
  child.once('error', (error) => say(`the collector for ${target} did not build: ${error.message}`));
  child.once('exit', (code, signal) => {
    if (code === 0) {
      stamp.keep();
      say(`the collector for ${target} is ready to install from here; other platforms: npm run build:agent`);
    } else if (signal === null)
      say(`the collector for ${target} did not build:\n${Buffer.concat(messages).toString()}`);
  });
  child.unref();
}
