import type { EgressAnswer } from '../../egress.ts';
import { cut, plainText, textLines } from '../message.ts';
import type { ChannelDriver, Notification, SendResult, Target } from '../types.ts';
import { fieldOf, post, type ChannelNetwork, type Details } from './http.ts';

const MOST_CHARACTERS = 4096;
/** At most 1 message a second to a person, 20 a minute to a group or channel. */
const SPACING_MS = { person: 1000, group: 3000 } as const;
/** The Bot API says that a chat id has at most 52 significant bits. */
const LARGEST_CHAT_ID = 2 ** 52;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Cuts first: Telegram counts the text without its markup. The first line is bold, and a quote is a block. */
export function telegramHtml(notification: Notification): string {
  const [title = '', ...rest] = cut(plainText(notification), MOST_CHARACTERS).split('\n');
  const quoteAt = textLines(notification).findIndex(({ kind }) => kind === 'quote') - 1;
  const html = rest.map((line, index) =>
    index === quoteAt ? `<blockquote>${escape(line.replace(/^> ?/, ''))}</blockquote>` : escape(line),
  );
  return [`<b>${escape(title)}</b>`, ...html].join('\n');
}

const chatOf = ({ settings }: Target): string => {
  const chat = settings['chat_id'];
  return typeof chat === 'string' ? chat : '';
};

/** Returns the id of the supergroup that a group became; undefined if the answer has none, or no possible one. */
function supergroupOf(answer: EgressAnswer): string | undefined {
  const id = fieldOf(answer, 'parameters', 'migrate_to_chat_id');
  return typeof id === 'number' && Number.isInteger(id) && id < 0 && id >= -LARGEST_CHAT_ID ? String(id) : undefined;
}

/** Telegram explains itself in `description` and `parameters`. */
function detailsOf(answer: EgressAnswer): Details {
  const [text, wait] = [fieldOf(answer, 'description'), fieldOf(answer, 'parameters', 'retry_after')];
  return {
    ...(typeof text === 'string' && { text }),
    ...(typeof wait === 'number' && { retryAfterSeconds: wait }),
    // Every answer of the Bot API has it.
    isTaken: fieldOf(answer, 'ok') === true,
    movedTo: supergroupOf(answer),
  };
}

/**
 * Sends to the chat, or once more to the supergroup that the chat became. A second move is refused, so that no answer makes
 * a loop.
 */
async function sendFollowing(chat: string, send: (chat: string) => Promise<SendResult>): Promise<SendResult> {
  const first = await send(chat);
  const to = first.outcome === 'refused' ? first.movedTo : undefined;
  if (to === undefined || to === chat) return first;
  const second = await send(to);
  const detail = `${second.detail} The group became a supergroup: its chat id is now ${to}.`;
  if (second.outcome === 'delivered') return { outcome: 'delivered', detail, movedTo: to };
  return second.outcome === 'refused' ? { outcome: 'refused', detail } : { ...second, detail };
}

/** Messages of a bot through Telegram's Bot API. `apiUrl` is the operator's, so it may be private. */
export function createTelegram(network: ChannelNetwork, apiUrl: string): ChannelDriver {
  const call = async (target: Target, method: string, body: object): Promise<SendResult> => {
    const url = `${apiUrl.replace(/\/+$/, '')}/bot${target.secrets['bot_token'] ?? ''}/${method}`;
    return post(network, { url, body: JSON.stringify(body), allowPrivate: true }, 'Telegram', detailsOf);
  };
  return {
    check: (target) => call(target, 'getMe', {}),
    send: (target, notification) => {
      const topic = target.settings['topic_id'];
      return sendFollowing(chatOf(target), (chat) =>
        call(target, 'sendMessage', {
          chat_id: chat,
          ...(topic != null && { message_thread_id: topic }),
          text: telegramHtml(notification),
          parse_mode: 'HTML',
          link_preview_options: { is_disabled: true },
        }),
      );
    },
    spacingMs: (target) => (/^[-@]/.test(chatOf(target)) ? SPACING_MS.group : SPACING_MS.person),
  };
}
