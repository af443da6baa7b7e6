import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct, type Product } from '../../e2e/product.ts';

/** Starts `npm start -- --demo` on a free port, with a data folder that its end removes. */
export async function startDemo(): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-demo-'));
  chmodSync(dataDir, 0o711);
  const product = await startProduct({ args: ['--demo'], env: { PLIMSOLL_DEMO_DATA_DIR: dataDir } });
  return {
    ...product,
    dataDir,
    stop: async () => {
      await product.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
