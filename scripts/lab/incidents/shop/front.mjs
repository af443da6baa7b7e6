import { call, required, serve } from './parts.mjs';

/** The page that customers see. It needs all three services; its readiness needs the catalogue. */
export async function front(environment) {
  const [catalog, cart, orders] = ['CATALOG_URL', 'CART_URL', 'ORDERS_URL'].map((name) => required(environment, name));
  serve(
    {
      'GET /': async () => {
        const [items, mine, last] = await Promise.all([
          call(catalog, '/items'),
          call(cart, '/cart'),
          call(orders, '/orders/last'),
        ]);
        return { items: items.length, cart: mine, last };
      },
      'POST /checkout': async () => {
        const items = await call(catalog, '/items');
        return call(orders, '/orders', { method: 'POST', body: JSON.stringify({ item: items[0]?.name }) });
      },
    },
    async () => void (await call(catalog, '/items')),
  );
}
