import type { Incident } from '../incident.ts';
import type { Shop } from './shop.ts';

const rollout = (name: string) => ({ kind: 'Deployment', name });
const workload = (name: string) => [{ kind: 'workload' as const, name }];
const configMap = (name: string) => [{ kind: 'object' as const, objectKind: 'ConfigMap', name }];

/** Faults of variables, ConfigMaps and what programs read of them. */
export const SETTING_INCIDENTS: Incident<Shop>[] = [
  {
    name: 'variable-wrong-port',
    fault: 'the address of catalog in a variable of front gets a wrong port',
    causes: [{ entities: workload('front'), mechanism: 'variable with a wrong address', change: rollout('front') }],
    decoy: 'a port is added to the Service catalog meanwhile',
    isRepeated: true,
    async inject(shop) {
      const port = { name: 'metrics', port: 9090, targetPort: 8080 };
      await shop.patch('service/catalog', { op: 'add', path: '/spec/ports/-', value: port });
      await shop.setVariable('front', 'CATALOG_URL', 'http://catalog:8081');
    },
  },
  {
    name: 'variable-missing',
    fault: 'the variable DATABASE_HOST of orders is removed; it ends at its start and says so',
    causes: [{ entities: workload('orders'), mechanism: 'required variable missing', change: rollout('orders') }],
    decoy: null,
    isRepeated: true,
    inject: (shop) => shop.setVariable('orders', 'DATABASE_HOST', null),
  },
  {
    name: 'name-does-not-exist',
    fault: 'orders gets the address http://queu:8080, a name that does not exist',
    causes: [{ entities: workload('orders'), mechanism: 'variable with an unknown name', change: rollout('orders') }],
    decoy: null,
    inject: (shop) => shop.setVariable('orders', 'QUEUE_URL', 'http://queu:8080'),
  },
  {
    name: 'config-key-missing',
    fault: 'the key currency of the ConfigMap settings is removed; the worker is restarted later',
    causes: [
      {
        entities: configMap('settings'),
        mechanism: 'key of a ConfigMap missing',
        change: { kind: 'ConfigMap', name: 'settings' },
      },
    ],
    related: workload('worker'),
    decoy: null,
    async inject(shop) {
      await shop.patch('configmap/settings', { op: 'remove', path: '/data/currency' });
      await shop.restart('worker');
    },
  },
  {
    name: 'config-map-missing',
    fault: 'the ConfigMap cart-settings, which cart mounts, is deleted; cart is restarted later',
    causes: [
      {
        entities: configMap('cart-settings'),
        mechanism: 'mounted ConfigMap missing',
        change: { kind: 'ConfigMap', name: 'cart-settings' },
      },
    ],
    related: workload('cart'),
    decoy: 'the restart itself',
    isRepeated: true,
    async inject(shop) {
      await shop.kubectl(['delete', 'configmap', 'cart-settings']);
      await shop.restart('cart');
    },
  },
  {
    name: 'config-map-broken',
    fault: 'the ConfigMap cart-settings gets text that is no JSON; cart is restarted later and ends',
    causes: [
      {
        entities: configMap('cart-settings'),
        mechanism: 'content of a ConfigMap that the program cannot read',
        change: { kind: 'ConfigMap', name: 'cart-settings' },
      },
    ],
    related: workload('cart'),
    decoy: null,
    async inject(shop) {
      await shop.patch('configmap/cart-settings', {
        op: 'replace',
        path: '/data/settings.json',
        value: '{currency: EUR}',
      });
      await shop.restart('cart');
    },
  },
  {
    name: 'database-password',
    fault: 'the password of the role shop is changed inside the database',
    causes: [{ entities: workload('database'), mechanism: 'password authentication fails', change: null }],
    related: [{ kind: 'service', name: 'database' }],
    decoy: 'the load generator is rolled out with another rate meanwhile',
    async inject(shop) {
      await shop.sql("ALTER ROLE shop PASSWORD 'another-password'");
      await shop.setVariable('load', 'RATE', '0.6');
    },
  },
  {
    name: 'database-role',
    fault: 'the role shop of the database is renamed',
    causes: [{ entities: workload('database'), mechanism: 'role of the database missing', change: null }],
    related: [{ kind: 'service', name: 'database' }],
    decoy: null,
    async inject(shop) {
      await shop.sql('ALTER ROLE shop RENAME TO shop_old');
    },
  },
];
