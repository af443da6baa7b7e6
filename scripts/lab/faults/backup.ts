import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../lib/web-build.ts';
import { startApi } from './api-process.ts';
import type { Fault } from './fault.ts';
import { startLoad } from './load.ts';
import { judge, readStored } from './oracle.ts';

const AGENTS = 20;
const BACKUPS = 10;

/** Makes backups while reports come in, and restores each on an empty machine. */
export const backup: Fault = {
  name: 'backup',
  does: '10 backups under 20 reports a second; each is restored into an empty database, which must hold what was acknowledged before it began',
  minutes: 3,
  run: async ({ isQuick, log }) => {
    const api = await startApi({ PLIMSOLL_REPORT_INTERVAL_SECONDS: '1' });
    const load = await startLoad(api, AGENTS);
    let kept = 0;
    let broken = 0;
    try {
      const count = isQuick ? 1 : BACKUPS;
      for (let index = 0; index < count; index += 1) {
        await load.progress(AGENTS);
        const before = load.acknowledged();
        const file = join(load.folder, `${String(index)}.backup`);
        await command('backup', file, api.dataDir);
        const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-restored-'));
        // As root the embedded database runs as another user, who must be able to pass through.
        chmodSync(dataDir, 0o711);
        try {
          await command('restore', file, dataDir);
          const restored = judge(before, await readStored(dataDir));
          log(`backup ${String(index + 1)}: ${restored.figures}`);
          kept += before.length;
          if (!restored.isHeld) broken += 1;
        } finally {
          rmSync(dataDir, { recursive: true, force: true });
        }
      }
      const verdict = await load.verdict();
      return {
        isHeld: verdict.isHeld && broken === 0,
        figures: `${verdict.figures}; ${String(count - broken)} of ${String(count)} backups held all that was acknowledged before, ${kept.toLocaleString('en')} reports together`,
      };
    } finally {
      await load.stop();
      await api.remove();
    }
  },
};

/** Runs a command of the API as `npm start -- NAME FILE` does. Throws what it printed when it fails. */
async function command(name: 'backup' | 'restore', file: string, dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, `api/src/cli/${name}.ts`), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], PLIMSOLL_DATA_DIR: dataDir },
  });
  let text = '';
  child.stderr.on('data', (piece: Buffer) => (text += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}: ${text}`);
}
