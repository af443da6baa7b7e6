import { readFileSync } from 'node:fs';
import { suggest } from './suggest-command.ts';
import { DEFAULTS, KEYS, READERS, SECRET_KEYS, SettingError, type Settings } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export interface LoadedSettings {
  settings: Settings;
  /** Source of each value that is not the default. */
  origins: Partial<Record<keyof Settings, string>>;
  warnings: string[];
}

const DEFAULT_FILE = '/etc/plimsoll/agent.conf';

/** The one place that reads the environment of the process. */
export function loadFromProcess(file: string | null): LoadedSettings {
  return loadSettings(process.env, file, (path) => readFileSync(path, 'utf8'));
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
  const loaded: LoadedSettings = { settings: { ...DEFAULTS }, origins: {}, warnings: [] };
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
  return loaded;
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
  const value = key === known ? text : readConfigFile(text, true, readFile).trim();
  assign(loaded.settings, known, value, origin);
  loaded.origins[known] = origin;
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
