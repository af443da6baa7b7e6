import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, chromiumPath } from './chromium-path.ts';

/** Starts the system's Chromium, without a window and without traffic of its own. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('No Chromium found. On Debian: apt-get install chromium');
  return chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
}
