import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, stopPostmaster } from '../../api/src/database/embedded/postmaster.ts';

/** Marks a folder whose content may be deleted: only the demo writes it. */
const MARKER = 'demo-data';
/** Written by the start, with the process id of the API. */
const PID_FILE = 'api.pid';
/** PostgreSQL writes a checkpoint before it ends. */
const STOP_MS = 30_000;

/**
 * Makes the data folder of the demo empty, so that its stories begin anew. Throws for a folder that holds anything and
 * lacks the marker: it may be somebody's data. `clusterOf` returns the folder of the database.
 */
export async function emptyDemoFolder(dataDir: string, clusterOf: () => string): Promise<void> {
  const held = existsSync(dataDir) ? readdirSync(dataDir) : [];
  if (held.length > 0 && !held.includes(MARKER))
    throw new Error(
      `${dataDir} holds data that is not of the demo. Move it away; the demo deletes its folder at each start.`,
    );
  const running = held.includes(PID_FILE) ? Number(readFileSync(join(dataDir, PID_FILE), 'utf8')) : 0;
  if (running > 0 && isAlive(running))
    throw new Error(`The demo runs already as process ${String(running)}. Stop it first.`);
  if (held.length > 0) {
    // A demo that was killed leaves its database running, which would write into the folder while it is deleted.
    await stopPostmaster(clusterOf(), STOP_MS);
    rmSync(clusterOf(), { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Marks the folder, which must exist. */
export const markDemoFolder = (dataDir: string): void =>
  writeFileSync(
    join(dataDir, MARKER),
    'Written by npm start -- --demo. Each start of the demo deletes this folder.\n',
    {
      mode: 0o600,
    },
  );
