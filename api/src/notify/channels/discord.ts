import { cut, textLines } from '../message.ts';
import type { ChannelDriver } from '../types.ts';
import { fieldOf, post, type ChannelNetwork } from './http.ts';

const MOST_CHARACTERS = 2000;

/** Escapes Discord's Markdown. */
const escape = (line: string): string => line.replace(/[\\*_~`|>#[\]()-]/g, String.raw`\$&`);
/** The link has a line of its own, and a quote is a block. */
const markdown = ({ kind, text }: ReturnType<typeof textLines>[number]): string =>
  kind === 'link' ? text : `${kind === 'quote' ? '> ' : ''}${escape(text)}`;

/** Posts to a webhook of Discord. Names cannot mention anyone. */
export const createDiscord = (network: ChannelNetwork): ChannelDriver => ({
  send: ({ secrets }, notification) => {
    const lines = textLines(notification).map(markdown).join('\n');
    const body = JSON.stringify({ content: cut(lines, MOST_CHARACTERS), allowed_mentions: { parse: [] } });
    return post(network, { url: secrets['webhook_url'] ?? '', body }, 'Discord', (answer) => {
      const [text, wait] = [fieldOf(answer, 'message'), fieldOf(answer, 'retry_after')];
      return {
        ...(typeof text === 'string' && { text }),
        ...(typeof wait === 'number' && { retryAfterSeconds: wait }),
      };
    });
  },
  spacingMs: () => 1000,
});
