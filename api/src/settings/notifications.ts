import type { EnvironmentReader } from './environment.ts';
import { readRanges } from './ranges.ts';
import { code, HTTP, NONE, type Setting, setting } from './setting.ts';

const TELEGRAM_API_URL = 'https://api.telegram.org';
const RESOLVES = 'no';

interface MessageProxy {
  url: string;
  resolvesNames: boolean;
}

function readMessageProxy(environment: EnvironmentReader): MessageProxy | null {
  const name = 'PLIMSOLL_MESSAGE_PROXY_URL';
  const url = environment.url(name, ['http:', 'https:'], environment.secret(name));
  const resolver = environment.choice('PLIMSOLL_MESSAGE_PROXY_RESOLVES', ['no', 'yes'], RESOLVES);
  return url === null ? null : { url, resolvesNames: resolver === 'yes' };
}

const telegram: Setting<{ botToken: string; chatId: string } | null> = {
  rows: [
    {
      names: ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_CHAT_ID'],
      fallback: NONE,
      meaning: 'send the alerts of the first account to this chat ([alerts.md](alerts.md))',
      isSecret: true,
    },
  ],
  read: (environment) => {
    const both = environment.pair('TELEGRAM_CHAT_ID', 'TELEGRAM_BOT_TOKEN');
    return both && { chatId: both[0], botToken: both[1] };
  },
};

/** The way out for messages and the heartbeat; null: directly. */
const messageProxy: Setting<MessageProxy | null> = {
  rows: [
    {
      names: ['PLIMSOLL_MESSAGE_PROXY_URL'],
      fallback: NONE,
      meaning:
        'HTTP proxy of the messages over HTTP and of the heartbeat, such as `http://user:password@proxy:3128`. Allowed private addresses and mail servers are reached directly.',
      isSecret: true,
    },
    {
      names: ['PLIMSOLL_MESSAGE_PROXY_RESOLVES'],
      isShown: true,
      fallback: code(RESOLVES),
      meaning:
        '`yes`: this proxy resolves the names of channels, and must itself refuse private addresses. `no`: Plimsoll resolves and checks each name and gives the proxy the address.',
    },
  ],
  read: readMessageProxy,
};

export const notifications = {
  title: 'Notifications',
  settings: {
    telegram,
    telegramApiUrl: setting(
      'TELEGRAM_API_URL',
      { fallback: code(TELEGRAM_API_URL), meaning: 'Bot API server of every Telegram channel' },
      (environment, name) => environment.url(name, HTTP) ?? TELEGRAM_API_URL,
    ),
    /** Called every minute while the API works; null: nothing is called. */
    heartbeatUrl: setting(
      'PLIMSOLL_HEARTBEAT_URL',
      { fallback: NONE, meaning: 'called every minute while the API and its database work', isSecret: true },
      (environment, name) => environment.url(name, HTTP, environment.secret(name)),
    ),
    messageProxy,
    allowedPrivateRanges: setting(
      'PLIMSOLL_ALLOWED_PRIVATE_RANGES',
      {
        fallback: 'none',
        meaning:
          'private addresses and CIDR ranges, with commas between, that channels and AI servers of accounts may lead to',
      },
      readRanges,
    ),
  },
};
