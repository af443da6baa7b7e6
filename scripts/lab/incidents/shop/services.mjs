import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { call, log, query, required, serve, untilReady } from './parts.mjs';

/** Signs a price, which costs a few milliseconds of CPU; more with more rounds. */
function signature(price, rounds) {
  let value = String(price);
  for (let round = 0; round < rounds; round++) value = createHash('sha256').update(value).digest('hex');
  return value;
}

/** Keeps every requested page when CATALOG_CACHE is "unbounded". */
const kept = [];

export async function catalog(environment) {
  required(environment, 'DATABASE_HOST');
  const rounds = Number(environment.SIGNATURE_ROUNDS ?? 400);
  const isUnbounded = environment.CATALOG_CACHE === 'unbounded';
  const items = async () => {
    const rows = await query(environment, 'SELECT name, price FROM items ORDER BY name');
    if (isUnbounded) kept.push(Buffer.alloc(4 * 1_048_576, JSON.stringify(rows)));
    return rows.map(({ name, price }) => ({ name, price, signature: signature(price, rounds) }));
  };
  serve({ 'GET /items': items }, async () => void (await query(environment, 'SELECT 1 FROM items LIMIT 1')));
}

export async function cart(environment) {
  // Ends the program when the file is missing, as a program does that reads its settings once.
  const { currency } = JSON.parse(readFileSync(required(environment, 'CART_SETTINGS'), 'utf8'));
  log('INFO', `currency ${currency}`);
  // A look-up that somebody else answers slowly.
  const delay = Number(environment.CART_DELAY_MS ?? 0);
  serve({
    'GET /cart': async () => {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      return { items: 2, currency };
    },
  });
}

export async function orders(environment) {
  const queue = required(environment, 'QUEUE_URL');
  await untilReady('the database', 45, () => query(environment, 'SELECT 1 FROM orders LIMIT 1'));
  serve(
    {
      'GET /orders/last': async () => (await query(environment, 'SELECT max(id) AS id FROM orders'))[0],
      'POST /orders': async (body) => {
        const [row] = await query(environment, 'INSERT INTO orders (item) VALUES ($1) RETURNING id', [body]);
        await call(queue, '/messages', { method: 'POST', body: JSON.stringify({ order: row.id }) });
        return row;
      },
    },
    async () => {
      await query(environment, 'SELECT 1 FROM orders LIMIT 1');
      await call(queue, '/ready');
    },
  );
}
