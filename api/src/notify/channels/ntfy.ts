import type { AlertLevel } from '@plimsoll/contract/rules/limits';
import { cut, plainText } from '../message.ts';
import type { ChannelDriver } from '../types.ts';
import { fieldOf, post, type ChannelNetwork } from './http.ts';

/** ntfy turns a longer message into an attachment; a character takes at most 3 bytes of these 4,096. */
const MOST_CHARACTERS = 1365;
const MOST_TITLE_CHARACTERS = 250;
/** 5 sounds even when the phone is silent. */
const PRIORITIES: Record<AlertLevel, number> = { critical: 5, error: 4, warning: 3, info: 2 };
const RESOLVED_PRIORITY = 2;

/** Publishes to a topic of ntfy.sh or of another ntfy server. */
export const createNtfy = (network: ChannelNetwork): ChannelDriver => ({
  send: ({ settings, secrets }, notification) => {
    const { title, level, link } = notification;
    const token = secrets['token'];
    const body = JSON.stringify({
      topic: secrets['topic'],
      title: cut(title, MOST_TITLE_CHARACTERS),
      message: cut(plainText({ ...notification, link: null }), MOST_CHARACTERS),
      priority: level === null ? RESOLVED_PRIORITY : PRIORITIES[level],
      ...(link !== null && { click: link }),
    });
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return post(network, { url: String(settings['server']), body, headers }, 'ntfy', (answer) => {
      const text = fieldOf(answer, 'error');
      return typeof text === 'string' ? { text } : {};
    });
  },
});
