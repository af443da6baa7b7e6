import { log, serve } from './parts.mjs';

const MOST = 10_000;

/** A queue in memory: a message is delivered again until it is acknowledged. */
export async function queue() {
  const messages = [];
  let next = 1;
  serve({
    'POST /messages': async (body) => {
      if (messages.length >= MOST) throw new Error(`the queue is full: ${messages.length} messages`);
      messages.push({ id: next++, body });
      if (messages.length % 100 === 0) log('WARN', `${messages.length} messages wait`);
      return { depth: messages.length };
    },
    'GET /messages/next': async () => messages[0] ?? { id: 0 },
    'POST /messages/done': async (body) => {
      if (messages[0]?.id === Number(body)) messages.shift();
      return { depth: messages.length };
    },
    'GET /depth': async () => ({ depth: messages.length }),
  });
}
