import { readFileSync } from 'node:fs';
import { environmentProxy, PROXY_VARIABLES } from './runtime/environment-proxy.ts';
import { suggest } from './suggest-command.ts';
import { DEFAULTS, KEYS, READERS, SECRET_KEYS, SettingError, type Settings } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export interface LoadedSettings {
  settings: Settings;
  /** Source of each value that is not the default. */
  origins: Partial<Record<keyof Settings, string>>;
  warnings: string[];
  /** Why the enrolment token cannot be read. It matters only to a host that is not enrolled. Null: it can, or none is set. */
  tokenProblem: string | null;
}

/** The folder of systemd's credentials. */
const CREDENTIALS = '/run/credentials/';
/** The token file of the installer; the account may read it where systemd passes no credentials. */
export const TOKEN_FILE = '/etc/plimsoll/enrolment-token';
export const TOKEN_REMEDY = `Run the installer of the Setup page again, or give the file to the service's account: chown plimsoll ${TOKEN_FILE}`;

const DEFAULT_FILE = '/etc/plimsoll/agent.conf';

/** The proxy variables of this process, which a later load needs after the first one removed them. */
const proxyVariables: Record<string, string> = {};

/** The one place that reads the environment of the process. */
export function loadFromProcess(file: string | null): LoadedSettings {
  for (const name of PROXY_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) proxyVariables[name] = value;
    // Bun sends every request through the proxy of these, also one to the metadata address of a cloud.
    Reflect.deleteProperty(process.env, name);
  }
  return loadSettings({ ...process.env, ...proxyVariables }, file, (path) => readFileSync(path, 'utf8'));
}

/** The environment as it is, for the cluster collector, whose settings have a reader of their own. */
export const processEnvironment = (): Environment => process.env;

/**
 * Defaults, then the file (`key = value`, # comments), then PLIMSOLL_<KEY>; a secret also from the file that
 * PLIMSOLL_<KEY>_FILE or `<key>_file` names. Throws SettingError for an unknown key of the file, a value that cannot
 * be used, and a named file that cannot be read.
 */
export function loadSettings(
  environment: Environment,
  file: string | null,
  readFile: (path: string) => string,
): LoadedSettings {
  const loaded: LoadedSettings = { settings: { ...DEFAULTS }, origins: {}, warnings: [], tokenProblem: null };
  const asked = file ?? environment['PLIMSOLL_CONFIG'] ?? null;
  const path = asked ?? DEFAULT_FILE;
  const text = readConfigFile(path, asked !== null, readFile);
  for (const [key, value] of parseFile(text, path)) apply(loaded, key, value, path, readFile);
  for (const [name, value] of Object.entries(environment)) {
    const key = keyOf(name);
    if (key !== null && value !== undefined && value !== '') apply(loaded, key, value, name, readFile);
    else if (key === null) warnOfSlip(name, loaded.warnings);
  }
  checkTransport(loaded.settings);
  if (loaded.settings.proxy === null) applyEnvironmentProxy(loaded, environment);
  return loaded;
}

/** Takes the proxy of HTTPS_PROXY and its like, unless NO_PROXY exempts the dashboard. */
function applyEnvironmentProxy(loaded: LoadedSettings, environment: Environment): void {
  const { url } = loaded.settings;
  const found = url === null ? null : environmentProxy(url, environment);
  if (found === null) return;
  try {
    assign(loaded.settings, 'proxy', found.proxy, found.name);
    loaded.origins.proxy = found.name;
  } catch (error) {
    // The variable is meant for all programs of the machine, so one that only others can use is no error.
    if (!(error instanceof SettingError)) throw error;
    loaded.warnings.push(error.message);
  }
}

function readConfigFile(path: string, required: boolean, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (error) {
    const missing = (error as { code?: unknown }).code === 'ENOENT';
    if (missing && !required) return '';
    throw new SettingError(`${path}: cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

function parseFile(text: string, path: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    const at = bare.indexOf('=');
    if (at < 1) throw new SettingError(`${path} line ${index + 1}: expected "key = value"`);
    const key = bare.slice(0, at).trim();
    if (baseKey(key) === null) throw new SettingError(`${path} line ${index + 1}: ${unknownKey(key)}`);
    pairs.push([
      key,
      bare
        .slice(at + 1)
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2'),
    ]);
  }
  return pairs;
}

function unknownKey(key: string): string {
  const near = suggest(key, KEYS);
  return `unknown key "${key}".${near === null ? ` Known keys: ${KEYS.join(', ')}` : ` Did you mean "${near}"?`}`;
}

/** The setting a key of the file names, `_file` twins included. */
function baseKey(key: string): keyof Settings | null {
  const plain = KEYS.find((known) => known === key);
  return plain ?? SECRET_KEYS.find((known) => `${known}_file` === key) ?? null;
}

/** PLIMSOLL_STATE_DIR → state_dir; null for other variables. */
function keyOf(name: string): string | null {
  if (!name.startsWith('PLIMSOLL_')) return null;
  const key = name.slice('PLIMSOLL_'.length).toLowerCase();
  return baseKey(key) === null ? null : key;
}

/** Other programs of the product share the prefix, so an unknown name is no error; a likely slip is worth a line. */
function warnOfSlip(name: string, warnings: string[]): void {
  if (!name.startsWith('PLIMSOLL_')) return;
  const key = name.slice('PLIMSOLL_'.length).toLowerCase();
  const near = suggest(key, KEYS);
  if (near !== null && key.length > 5)
    warnings.push(`${name} is not a setting. Did you mean PLIMSOLL_${near.toUpperCase()}?`);
}

function apply(
  loaded: LoadedSettings,
  key: string,
  text: string,
  origin: string,
  readFile: (path: string) => string,
): void {
  const known = baseKey(key);
  if (known === null) return;
  const value =
    key === known
      ? text
      : known === 'enrolment_token'
        ? readToken(loaded, text, readFile)
        : readConfigFile(text, true, readFile).trim();
  if (value === null) return;
  assign(loaded.settings, known, value, origin);
  loaded.origins[known] = origin;
}

/** Null when it cannot be read: a host that is enrolled needs no token, and must not stop reporting for one. */
function readToken(loaded: LoadedSettings, path: string, readFile: (path: string) => string): string | null {
  loaded.tokenProblem = null;
  const paths = path.startsWith(CREDENTIALS) ? [path, TOKEN_FILE] : [path];
  const problems: string[] = [];
  for (const candidate of paths) {
    try {
      return readConfigFile(candidate, true, readFile).trim();
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  const cause = paths.length > 1 ? 'systemd passed no credential; a drop-in may clear LoadCredential=. ' : '';
  loaded.tokenProblem = `enrolment_token: ${problems.join('; ')}. ${cause}${TOKEN_REMEDY}`;
  return null;
}

function assign(settings: Settings, key: keyof Settings, text: string, origin: string): void {
  try {
    Object.assign(settings, { [key]: READERS[key](text) });
  } catch (error) {
    if (error instanceof SettingError) throw new SettingError(`${origin}: ${key} ${error.message}`);
    throw error;
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The token travels with every report: in the clear only on this machine, or when the owner says so. */
function checkTransport({ url, allow_http }: Settings): void {
  if (url === null || !url.startsWith('http:') || allow_http) return;
  if (LOOPBACK.test(new URL(url).hostname)) return;
  throw new SettingError(
    'url: plain http sends the token in the clear. Use https, or set allow_http = true to accept it',
  );
}
