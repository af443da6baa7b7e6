import { errorText } from '@plimsoll/contract/rules/error-text';
import { loadConfig } from '../config.ts';
import { recoverAccount } from '../accounts/recover.ts';
import { systemClock } from '../clock.ts';
import { openStorage } from '../deps.ts';
import { localOrigin } from '../http/listen.ts';
import { createLogger } from '../telemetry/logger.ts';

const USAGE = `Usage: node api/src/cli/recover.ts EMAIL
For someone with the server's own terminal who cannot sign in: switches the second factor of the account off, ends its
sessions and prints a link that signs in once, within 15 minutes. Reads the same settings as the API; stop the API first
when it runs on the embedded database.
Exit 0 done, 1 failed, 2 wrong use.`;

const [email, ...rest] = process.argv.slice(2);
if (email === undefined || email.startsWith('-') || rest.length > 0) {
  console.error(USAGE);
  process.exitCode = email === '--help' ? 0 : 2;
} else {
  const config = loadConfig();
  const opened = await openStorage(config, createLogger({ ...config.log, level: 'warn' }));
  try {
    const code = await recoverAccount({ storage: opened.storage, clock: systemClock }, email);
    const origin = config.publicUrl ?? localOrigin(config.host, config.port);
    console.log(`Sign in: ${origin}/auth/callback#access_token=${code}`);
  } catch (error) {
    console.error(`plimsoll: ${errorText(error)}`);
    process.exitCode = 1;
  } finally {
    await opened.close();
  }
}
