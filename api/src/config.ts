import { ConfigError, type Environment, EnvironmentReader } from './settings/environment.ts';
import { inRepository, type Setting, type ValuesOf } from './settings/setting.ts';
import { SETTINGS } from './settings/settings.ts';

type Values = ValuesOf<typeof SETTINGS>;

/** The settings of the API, read from the environment once at start and passed in from there. */
export interface Config extends Omit<Values, 'log'> {
  log: { level: Values['log']['level']; format: 'json' | 'pretty' };
  installScript: string;
}

/**
 * Reads every setting of the API. Throws `ConfigError` naming each variable at fault and the remedy.
 * `terminal`: whether logs go to a person (format `auto` is then readable text).
 */
export function loadConfig(environment: Environment = process.env, terminal: boolean = process.stderr.isTTY): Config {
  const reader = new EnvironmentReader(environment);
  const fields = Object.entries<Setting<unknown>>(SETTINGS).map(([field, { read }]) => [field, read(reader)]);
  const { log, ...values } = Object.fromEntries(fields) as Values;
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  const format = log.format === 'auto' ? (terminal ? 'pretty' : 'json') : log.format;
  return { ...values, log: { level: log.level, format }, installScript: inRepository('scripts/install.sh') };
}

/**
 * Reads the settings for a command that works also where they are wrong: then `config` holds the folders alone, and
 * `atFault` the names of the settings.
 */
export function loadConfigOrFolders(environment: Environment = process.env): {
  config: Config;
  environment: Environment;
  atFault: string[];
} {
  try {
    return { config: loadConfig(environment), environment, atFault: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { PLIMSOLL_DATA_DIR, XDG_RUNTIME_DIR } = environment;
    // A problem starts with its setting, and may quote the value.
    const atFault = error.problems.map((problem) => /^[A-Z][A-Z0-9_]+/.exec(problem)?.[0] ?? 'a setting');
    return { config: loadConfig({ PLIMSOLL_DATA_DIR, XDG_RUNTIME_DIR }), environment, atFault };
  }
}
