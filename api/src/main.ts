import { errorText } from '@plimsoll/contract/rules/error-text';
import { loadConfig, type Config } from './config.ts';
import { ConfigError } from './settings/environment.ts';
import { endOwnPostmasters } from './database/embedded/own-postmasters.ts';
import { serve } from './serve.ts';
import { onStopSignal } from './stop-signals.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { RecentLog } from './telemetry/recent-log.ts';
import { scrubSecrets } from './telemetry/scrub.ts';

/** Exit codes: settings at fault (sysexits EX_CONFIG), or could not start. */
const EXIT = { config: 78, failed: 1 } as const;

function readConfig(): Config | null {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) process.stderr.write(`plimsoll: ${problem}\n`);
    process.exitCode = EXIT.config;
    return null;
  }
}

/** Serves until a signal. One that comes during the start ends it, together with the database it started. */
async function serveUntilSignal(config: Config, log: Logger): Promise<void> {
  let stop = endOwnPostmasters;
  let isStopping = false;
  onStopSignal((signal) => {
    isStopping = true;
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(EXIT.failed);
      },
    );
  });
  try {
    stop = (await serve(config, log)).stop;
  } catch (error) {
    // The start fails because its database is being stopped.
    if (!isStopping) throw error;
  }
}

const config = readConfig();
if (config !== null) {
  const recent = new RecentLog(config.dataDir);
  const log = createLogger(config.log, undefined, { level: config.log.level, stream: recent });
  try {
    await serveUntilSignal(config, log);
  } catch (error) {
    log.debug({ err: error }, 'start failed');
    const last = { level: 'fatal', time: new Date().toISOString(), msg: scrubSecrets(errorText(error)) };
    recent.write(`${JSON.stringify(last)}\n`);
    process.stderr.write(`plimsoll: ${errorText(error)}\n`);
    process.exit(EXIT.failed);
  }
}
