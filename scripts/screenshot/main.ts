import { join } from 'node:path';
import { launchChromium } from '../../web/src/testing/chromium.ts';
import { startProduct, until } from '../e2e/product.ts';
import { apiSession, serverWith, signInFirst } from '../e2e/session.ts';
import { ROOT } from '../lib/web-build.ts';

const usage = `Usage: npm run screenshot
Starts the product, waits for some minutes of this machine's own figures and writes docs/dashboard.png.
Needs Chromium. Exit 0 written, 1 failed.`;

const OUT = join(ROOT, 'docs/dashboard.png');
/** A chart wants a few points before it is worth a picture. */
const REPORTS = 12;

async function main(): Promise<void> {
  const product = await startProduct({ env: { PLIMSOLL_REPORT_INTERVAL_SECONDS: '5' } });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
    await signInFirst(page, product);
    const get = await apiSession(product);
    const { id } = await serverWith(get, 'active', 60);
    await until(
      'a minute of reports',
      async () => (await get<{ total: number }>(`/api/data/network/metrics?server_id=${id}&limit=1`)).total >= REPORTS,
      180,
    );
    await page.reload();
    await page.getByRole('meter').first().waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle').catch(() => undefined);
    await page.screenshot({ path: OUT });
    console.log(OUT);
  } finally {
    await browser.close();
    await product.stop();
  }
}

if (process.argv.includes('--help')) console.log(usage);
else await main();
