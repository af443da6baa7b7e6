import { loadConfig } from '../../api/src/config.ts';
import { serve } from '../../api/src/serve.ts';
import { createLogger } from '../../api/src/telemetry/logger.ts';
import { RecentLog } from '../../api/src/telemetry/recent-log.ts';

export { endOwnPostmasters } from '../../api/src/database/embedded/own-postmasters.ts';

/** Runs the API in this process, with the settings of its environment. It logs errors only, unless it is verbose. */
export async function startApi(verbose: boolean): Promise<{ stop: () => Promise<void> }> {
  const config = loadConfig();
  const { level } = config.log;
  const shown = { ...config.log, level: verbose ? level : ('error' as const) };
  const log = createLogger(shown, undefined, { level, stream: new RecentLog(config.dataDir) });
  return await serve(config, log);
}
