import { LOG_LEVELS, type LogLevel } from './runtime/log.ts';

/** Every setting, by its key in the file; PLIMSOLL_ + the key in capitals is its name in the environment. */
export interface Settings {
  /** Base URL of the API; null until it is set. */
  url: string | null;
  state_dir: string;
  /** Seconds between reports; null: what the server says. */
  interval: number | null;
  enrolment_token: string | null;
  /** Plain http to another machine than this one. */
  allow_http: boolean;
  region: string | null;
  /** Asks the cloud's metadata address for the region when none is set. */
  cloud_metadata: boolean;
  /** Sends the names of programs without their arguments. */
  strip_arguments: boolean;
  /** Socket of Docker or Podman for the state, names and restarts of containers; null: it is not used. */
  container_socket: string | null;
  /** Names of processes whose start and end become events, and whose absence is an alert. */
  watched_processes: readonly string[];
  /** Files whose change becomes an event. */
  watched_files: readonly string[];
  /** Sources that are not read. */
  disabled_sources: readonly string[];
  /** The source gpu may run `nvidia-smi`; the installer's --with-gpu opens the devices. */
  gpu: boolean;
  /** The source smart may run `smartctl`; the installer's --with-smart opens the devices. */
  smart: boolean;
  /** The source pools may run `zpool`, whose device the installer's --with-zpool opens. */
  zpool: boolean;
  /** Runs the checks that the dashboard requests for this host, within `check_networks`. */
  checks: boolean;
  /** Loopback and private networks that checks may reach beside public addresses. */
  check_networks: readonly string[];
  /** Proxy for the way to the dashboard. */
  proxy: string | null;
  /** File with the certificates of a private authority, PEM. */
  ca_file: string | null;
  tags: Record<string, string>;
  log_level: LogLevel;
  /** "auto": text at a terminal, JSON elsewhere. */
  log_format: 'auto' | 'json' | 'text';
}

/** A setting that cannot be used; the message names it and the remedy. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Tests the form only: the module that parses addresses is loaded where checks run. */
const NETWORK = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:.]*:[\da-f:.]*)(?:\/\d{1,3})?$/i;
/** Reads one value. Throws a plain reason ("must be …"); the caller adds the name. */
type Reader<T> = (text: string) => T;
export const READERS: { [K in keyof Settings]: Reader<Settings[K]> } = {
  url: readUrl,
  state_dir: (text) => requireThat(text, text.startsWith('/'), 'must be an absolute path'),
  interval: (text) => readNumber(text, 1, 3600),
  enrolment_token: (text) => requireThat(text, /^\S{1,256}$/.test(text), 'must be one word of at most 256 characters'),
  allow_http: readSwitch,
  region: (text) => requireThat(text, text.length <= 64, 'must be at most 64 characters'),
  cloud_metadata: readSwitch,
  strip_arguments: readSwitch,
  container_socket: (text) => requireThat(text, text.startsWith('/'), 'must be an absolute path'),
  watched_processes: readList,
  watched_files: (text) =>
    readList(text).map((path) => requireThat(path, path.startsWith('/'), 'must be absolute paths')),
  disabled_sources: readList,
  gpu: readSwitch,
  smart: readSwitch,
  zpool: readSwitch,
  checks: readSwitch,
  check_networks: (text) =>
    readList(text).map((network) =>
      requireThat(network, NETWORK.test(network), 'must be addresses or ranges, like 10.0.0.0/8, ::1'),
    ),
  proxy: (text) =>
    requireThat(text, /^https?:\/\/\S+$/.test(text), 'must be the address of a proxy, like http://proxy:3128'),
  ca_file: (text) => requireThat(text, text.startsWith('/'), 'must be an absolute path'),
  tags: readTags,
  log_level: (text) => readChoice(text, LOG_LEVELS),
  log_format: (text) => readChoice(text, ['auto', 'json', 'text']),
};
export const KEYS = Object.keys(READERS) as (keyof Settings)[];
/** Settings that may also be given as the name of a file that holds the value. */
export const SECRET_KEYS: readonly (keyof Settings)[] = ['enrolment_token', 'proxy'];

export const DEFAULTS: Settings = {
  url: null,
  state_dir: '/var/lib/plimsoll-collector',
  interval: null,
  enrolment_token: null,
  allow_http: false,
  region: null,
  cloud_metadata: false,
  strip_arguments: false,
  container_socket: null,
  watched_processes: [],
  watched_files: [
    '/etc/passwd',
    '/etc/group',
    '/etc/sudoers',
    '/etc/ssh/sshd_config',
    '/etc/fstab',
    '/etc/hosts',
    '/etc/resolv.conf',
    '/etc/crontab',
    '/etc/plimsoll/agent.conf',
  ],
  disabled_sources: [],
  gpu: false,
  smart: false,
  zpool: false,
  checks: false,
  check_networks: [],
  proxy: null,
  ca_file: null,
  tags: {},
  log_level: 'info',
  log_format: 'auto',
};

function requireThat<T>(value: T, holds: boolean, remedy: string): T {
  if (!holds) throw new SettingError(remedy);
  return value;
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new SettingError('must be the address of the dashboard, like https://plimsoll.example.com');
  }
  // The parser drops an empty user ("https://@host") and turns backslashes into slashes: the text is checked as well.
  const [, authority = '', rest = ''] = /^https?:\/\/([^/?#\\]*)(.*)$/i.exec(text) ?? [];
  if (authority === '' || rest.includes('\\')) throw new SettingError('must have the form https://HOST[:PORT][/PATH]');
  if (authority.includes('@')) throw new SettingError('must not hold a user or a password');
  if (/[?#]/.test(rest)) throw new SettingError('must not hold a query or a fragment');
  if (/[\s\p{Cc}]/u.test(text)) throw new SettingError('must not hold spaces or control characters');
  return text.replace(/\/+$/, '');
}

function readNumber(text: string, least: number, most: number): number {
  const value = Number(text);
  const holds = text.trim() !== '' && Number.isFinite(value) && value >= least && value <= most;
  return requireThat(value, holds, `must be a number from ${least} to ${most}`);
}

function readSwitch(text: string): boolean {
  if (/^(?:true|yes|on|1)$/i.test(text)) return true;
  if (/^(?:false|no|off|0)$/i.test(text)) return false;
  throw new SettingError('must be true or false');
}

function readChoice<T extends string>(text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new SettingError(`must be one of ${choices.join(', ')}`);
  return found;
}

/** Words with commas between them. */
function readList(text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}

/** name=value,name=value */
function readTags(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  const entries = pairs.map((pair): [string, string] => {
    const match = /^\s*([\w.-]{1,64})\s*=\s*(.{0,256}?)\s*$/.exec(pair);
    if (match?.[1] === undefined) throw new SettingError('must be name=value pairs with commas between them');
    return [match[1], match[2] ?? ''];
  });
  return Object.fromEntries(entries);
}
