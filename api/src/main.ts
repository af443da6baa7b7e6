import { loadConfig, type Config } from './config.ts';
import { ConfigError } from './environment.ts';
import { serve } from './serve.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { RecentLog } from './telemetry/recent-log.ts';
import { scrubSecrets } from './telemetry/scrub.ts';

/** Exit codes: settings at fault (sysexits EX_CONFIG), or could not start. */
const EXIT = { config: 78, failed: 1 } as const;

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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

/** The first signal ends in order; a second one does not wait. */
function stopOnSignal(stop: () => Promise<void>, log: Logger): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(EXIT.failed);
    stopping = true;
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(EXIT.failed);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

const config = readConfig();
if (config !== null) {
  const recent = new RecentLog(config.dataDir);
  const log = createLogger(config.log, undefined, { level: config.log.level, stream: recent });
  try {
    stopOnSignal((await serve(config, log)).stop, log);
  } catch (error) {
    log.debug({ err: error }, 'start failed');
    const last = { level: 'fatal', time: new Date().toISOString(), msg: scrubSecrets(errorText(error)) };
    recent.write(`${JSON.stringify(last)}\n`);
    process.stderr.write(`plimsoll: ${errorText(error)}\n`);
    process.exit(EXIT.failed);
  }
}
