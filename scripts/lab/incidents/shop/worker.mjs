import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, log, query, required, serve } from './parts.mjs';

const PAUSE_MS = 500;
/** Bytes of the receipt that is written for each order. */
const RECEIPT_BYTES = 8192;

/** Takes orders from the queue. A message that it cannot parse ends it, as an exception that nobody catches does. */
export async function worker(environment) {
  const queue = required(environment, 'QUEUE_URL');
  const currency = required(environment, 'CURRENCY');
  const receipts = environment.RECEIPTS_DIR ?? null;
  serve({});
  for (;;) {
    let message = { id: 0 };
    try {
      message = await call(queue, '/messages/next');
    } catch (error) {
      log('ERROR', `cannot take a message: ${error.message}`);
    }
    if (message.id === 0) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      continue;
    }
    const { order } = JSON.parse(message.body);
    if (receipts !== null)
      appendFileSync(join(receipts, 'receipts.log'), `${order} ${currency} `.padEnd(RECEIPT_BYTES, '.'));
    try {
      await query(environment, 'UPDATE orders SET done = true WHERE id = $1', [order]);
      await call(queue, '/messages/done', { method: 'POST', body: String(message.id) });
    } catch (error) {
      log('ERROR', `order ${order} is not done: ${error.message}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
