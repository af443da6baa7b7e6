import { interactions } from './bench-interactions.ts';
import { loadRows } from './bench-loads.ts';
import { builtSizes, ROUTES, routeSizes } from './bench-sizes.ts';
import { tableOf } from './bench-table.ts';
import type { Row } from './bench-table.ts';
import { launchChromium } from './chromium.ts';
import { openPage } from './open-page.ts';
import type { View } from './open-page.ts';
import { startProduct } from './product.ts';

/** The smallest fleet and a large one. */
const [FEW, SERVERS] = [1, 500] as const;
const VIEW: View = { width: 1440, theme: 'dark', measured: true };

const say = (line: string) => console.error(line);

type Fill = (dataDir: string, servers: number, say: (line: string) => void) => Promise<void>;

/** Every figure that depends on the number of servers. Interactions are measured with the large fleet only. */
async function measure(fill: Fill, servers: number): Promise<Row[]> {
  say('starting the product …');
  const product = await startProduct();
  const browser = await launchChromium();
  try {
    say(`giving it a fleet of ${String(servers)} with a day each, and their pods …`);
    await fill(product.dataDir, servers, say);
    say('loading each page …');
    const loads = await loadRows(browser, product, ROUTES, `fleet of ${String(servers)}`);
    if (servers < SERVERS) return loads;
    const { page, complaints } = await openPage(browser, product, VIEW);
    say('sizes of the routes …');
    const sizes = await routeSizes(page);
    say('interactions …');
    const acts = await interactions(page, servers, say);
    if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('; ')}`);
    return [...builtSizes(), ...sizes, ...loads, ...acts];
  } finally {
    await browser.close();
    await product.stop();
  }
}

/**
 * Sizes, load times and interactions of the built dashboard beside their budgets. `--json` prints the rows.
 * `fill` gives the account of the product in a folder that many servers.
 */
export async function main(argv: readonly string[], fill: Fill): Promise<void> {
  const rows = [...(await measure(fill, FEW)), ...(await measure(fill, SERVERS))];
  console.log(argv.includes('--json') ? JSON.stringify(rows) : tableOf(rows));
}
