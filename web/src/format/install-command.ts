/** A word for a POSIX shell: plain when it is harmless, else in single quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1|0\.0\.0\.0)$/i;

/** True when only this very machine can reach the address. */
export function isLoopback(origin: string): boolean {
  try {
    return LOOPBACK.test(new URL(origin).hostname);
  } catch {
    return false;
  }
}

const DEFAULT_PORT = '8420';

/** Returns the command that starts this dashboard again so that other machines reach it at an address of its machine. */
export function restartCommand(origin: string, address: string): string {
  const port = new URL(origin).port || DEFAULT_PORT;
  return [
    'PLIMSOLL_HOST=0.0.0.0',
    ...(port === DEFAULT_PORT ? [] : [`PLIMSOLL_PORT=${port}`]),
    `PLIMSOLL_PUBLIC_URL=http://${address}:${port}`,
    'npm start',
  ].join(' ');
}

export const isPlainHttp = (origin: string) => origin.startsWith('http:');

/** Programs that fetch the script, with the words that make them print it. */
const DOWNLOADS = { curl: 'curl -fsSL', wget: 'wget -qO-' } as const;
export type Downloader = keyof typeof DOWNLOADS;

/** `curl … | sudo sh -s -- …`: the script is read from this dashboard, its words follow. */
function installLine(origin: string, words: readonly string[], by: Downloader = 'curl'): string {
  return `${DOWNLOADS[by]} ${shellWord(`${origin}/install.sh`)} | sudo sh -s -- ${words.map(shellWord).join(' ')}`;
}

/** Plain http has to be said, since it is not meant to happen by accident. */
const httpWord = (origin: string) => (isPlainHttp(origin) ? ['--allow-http'] : []);

/** Install command of the landing page; the script prompts for the token. */
export const publicInstallCommand = (origin: string) => installLine(origin, ['--url', origin, ...httpWord(origin)]);

interface HostInstall {
  /** Address of this dashboard for the machine, without a trailing slash. */
  origin: string;
  /** Can enrol servers, cannot read. */
  enrolmentToken: string;
}

/** One line for Linux and macOS. */
export const hostInstallCommand = ({ origin, enrolmentToken }: HostInstall, by: Downloader = 'curl') =>
  installLine(origin, ['--url', origin, '--token', enrolmentToken, ...httpWord(origin)], by);

/** Tells the dashboard, then removes everything but the logs. */
export const hostUninstallCommand = (origin: string) => installLine(origin, ['--uninstall']);

interface ClusterInstall {
  origin: string;
  /** Images that the cluster pulls; tag null: the chart's. */
  images: { registry: string; tag: string | null };
  /** Name of the cluster on the dashboard; empty: the start of its uid. */
  clusterName: string;
  /** Enrols the nodes of one cluster and reports for it. */
  clusterToken: string;
  /** Prometheus and kube-state-metrics, on or off together. */
  prometheus: boolean;
  /** Null: no chat. Both fields are sent once, at enrolment. */
  telegram: { botToken: string; chatId: string } | null;
}

export const HELM_NAMESPACE = 'plimsoll-system';
export const HELM_RELEASE = 'plimsoll-collectors';

/** A value of `--set` and `--set-string`: commas and the like would begin another one. */
const helmValue = (text: string) => text.replaceAll(/[\\,{}]/g, (sign) => `\\${sign}`);

/** Options that require both fields. */
export function telegramOrNull(on: boolean, botToken: string, chatId: string): ClusterInstall['telegram'] {
  const [token, chat] = [botToken.trim(), chatId.trim()];
  return on && token !== '' && chat !== '' ? { botToken: token, chatId: chat } : null;
}

/** Installs node agents and the cluster collector, nothing else; they report to this dashboard. */
export function helmInstallCommand(install: ClusterInstall): string {
  const { origin, images, clusterToken, prometheus, telegram } = install;
  const clusterName = install.clusterName.trim();
  const set = (option: '--set' | '--set-string', name: string, value: string) =>
    `${option} ${shellWord(`${name}=${helmValue(value)}`)}`;
  return [
    `helm upgrade --install ${HELM_RELEASE}`,
    shellWord(`${origin}/charts/plimsoll.tgz`),
    `--namespace ${HELM_NAMESPACE} --create-namespace`,
    set('--set', 'api.enabled', 'false'),
    set('--set', 'image.registry', images.registry),
    ...(images.tag === null ? [] : [set('--set-string', 'image.tag', images.tag)]),
    set('--set', 'endpoint', origin),
    ...(isPlainHttp(origin) ? [set('--set', 'allowHttp', 'true')] : []),
    ...(clusterName === '' ? [] : [set('--set-string', 'clusterName', clusterName)]),
    set('--set-string', 'token.value', clusterToken),
    set('--set', 'prometheus.enabled', String(prometheus)),
    set('--set', 'kubeStateMetrics.enabled', String(prometheus)),
    ...(telegram === null
      ? []
      : [
          set('--set-string', 'telegram.botToken', telegram.botToken),
          set('--set-string', 'telegram.chatId', telegram.chatId),
        ]),
  ].join(' \\\n    ');
}

/** Gives the collectors of a cluster another token; every other value stays. */
export const helmTokenCommand = ({ origin, clusterToken }: Pick<ClusterInstall, 'origin' | 'clusterToken'>): string =>
  [
    `helm upgrade ${HELM_RELEASE}`,
    shellWord(`${origin}/charts/plimsoll.tgz`),
    `--namespace ${HELM_NAMESPACE} --reuse-values`,
    `--set-string ${shellWord(`token.value=${helmValue(clusterToken)}`)}`,
  ].join(' \\\n    ');

export const helmUninstallCommand = `helm uninstall ${HELM_RELEASE} --namespace ${HELM_NAMESPACE}`;

/** "ple_9f2c••••••••4b1e": enough to tell two apart, too little to use. Short ones disappear altogether. */
export function concealed(secret: string): string {
  return secret.length < 16 ? '••••••••' : `${secret.slice(0, 8)}••••••••${secret.slice(-4)}`;
}

/** The command as it may be looked at; what is copied keeps its secrets. */
export function withoutSecrets(command: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce(
      (text, secret) => text.replaceAll(helmValue(secret), concealed(secret)).replaceAll(secret, concealed(secret)),
      command,
    );
}
