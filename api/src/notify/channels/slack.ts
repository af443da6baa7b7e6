import { cutText } from '@plimsoll/contract/rules/printable-text';
import { cut, plainText } from '../message.ts';
import type { ChannelDriver } from '../types.ts';
import { post, type ChannelNetwork } from './http.ts';

/** Slack cuts a longer text of a message. */
const MOST_CHARACTERS = 4000;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Posts to an incoming webhook of Slack. Names cannot mention anyone: mentions need an unescaped `<`. */
export const createSlack = (network: ChannelNetwork): ChannelDriver => ({
  send: ({ secrets }, notification) => {
    const body = JSON.stringify({ text: escape(cut(plainText(notification), MOST_CHARACTERS)), mrkdwn: false });
    const answered = (answer: { body: Buffer }) => ({ text: cutText(answer.body.toString(), 100) });
    return post(network, { url: secrets['webhook_url'] ?? '', body }, 'Slack', answered);
  },
  spacingMs: () => 1000,
});
