import { join } from 'node:path';
import { launchChromium } from '../../web/src/testing/chromium.ts';
import { startDemo } from '../demo/testing/start-demo.ts';
import { ROOT } from '../lib/web-build.ts';

const usage = `Usage: npm run screenshot
Starts the demo and writes docs/dashboard.png. Needs Chromium. Exit 0 written, 1 failed.`;

const OUT = join(ROOT, 'docs/dashboard.png');

async function main(): Promise<void> {
  const demo = await startDemo();
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
    await page.goto(demo.signInLink);
    await page.getByText('logs-fra-01').first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    await page.screenshot({ path: OUT });
    console.log(OUT);
  } finally {
    await browser.close();
    await demo.stop();
  }
}

if (process.argv.includes('--help')) console.log(usage);
else await main();
