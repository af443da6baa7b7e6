import { cut } from '../message.ts';
import type { ChannelDriver, Notification } from '../types.ts';
import { post, type ChannelNetwork } from './http.ts';

/** A card may be 28 KB; a character takes at most 3 bytes. */
const MOST_LINE_CHARACTERS = 300;
const MOST_LINES = 25;

/** Escapes the Markdown that a TextBlock understands. */
const escape = (text: string): string => text.replace(/[\\*_[\]()#`>-]/g, String.raw`\$&`);
const block = (text: string, more: object = {}): object => ({
  type: 'TextBlock',
  text: escape(cut(text, MOST_LINE_CHARACTERS)),
  wrap: true,
  ...more,
});

function cardOf({ title, lines, level, link, isTest, cause }: Notification): object {
  const quote = cause?.quote ?? null;
  const left = lines.length - MOST_LINES;
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(title, { weight: 'Bolder' }),
      ...lines.slice(0, MOST_LINES).map((line) => block(line)),
      ...(left > 0 ? [block(`and ${String(left)} more`)] : []),
      ...(quote === null ? [] : [block(`“${quote}”`, { isSubtle: true, fontType: 'Monospace' })]),
      ...(level === null || isTest ? [] : [block(`Level: ${level}`)]),
    ],
    ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Open in Plimsoll', url: link }] }),
  };
}

/** Posts an adaptive card to the URL of a workflow ("when a Teams webhook request is received"). */
export const createTeams = (network: ChannelNetwork): ChannelDriver => ({
  send: ({ secrets }, notification) => {
    const attachment = {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: cardOf(notification),
    };
    const body = JSON.stringify({ type: 'message', attachments: [attachment] });
    return post(network, { url: secrets['webhook_url'] ?? '', body }, 'Microsoft Teams');
  },
  spacingMs: () => 1000,
});
