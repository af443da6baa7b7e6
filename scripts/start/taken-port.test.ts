import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { start } from './start.ts';

const home = mkdtempSync(join(tmpdir(), 'plimsoll-port-'));
// Another Plimsoll would be ready there: its answer must not be taken for ours.
const other = createServer((_, answer) => void answer.end('ready'));
afterEach(() => {
  other.close();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

test('a taken port is refused before the data folder is touched, with the port and the remedy', async () => {
  await new Promise<void>((done) => void other.listen(0, '127.0.0.1', done));
  const port = String((other.address() as AddressInfo).port);
  const dataDir = join(home, 'demo');
  vi.stubEnv('PLIMSOLL_DEMO_DATA_DIR', dataDir);
  vi.stubEnv('PLIMSOLL_HOST', '127.0.0.1');
  const options = { port, collector: false, dev: false, verbose: false, demo: true };
  await expect(start(options)).rejects.toThrow(
    `127.0.0.1:${port} is in use: stop what listens there or set another port: npm start -- --demo --port N`,
  );
  expect(existsSync(dataDir)).toBe(false);
});
