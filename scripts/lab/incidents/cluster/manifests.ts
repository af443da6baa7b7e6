/** The objects of one shop: a front, three services, a queue with its worker, PostgreSQL and a load generator. */

export const SHOP_IMAGE = 'localhost/plimsoll/shop';
/** Both tags are the same image: a rollout to the second is a rollout without harm. */
export const SHOP_TAGS = ['1', '2'] as const;
const SHOP_PORT = 8080;

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

type Variable = { name: string } & ({ value: string } | { valueFrom: object });

const at = (service: string): string => `http://${service}:${String(SHOP_PORT)}`;
const plain = (values: Record<string, string>): Variable[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
const PASSWORD: Variable = {
  name: 'DATABASE_PASSWORD',
  valueFrom: { secretKeyRef: { name: 'database', key: 'password' } },
};
const CURRENCY: Variable = {
  name: 'CURRENCY',
  valueFrom: { configMapKeyRef: { name: 'settings', key: 'currency' } },
};
const DATABASE = [...plain({ DATABASE_HOST: 'database' }), PASSWORD];

const get = (path: string) => ({ httpGet: { path, port: SHOP_PORT } });

interface Part {
  role: string;
  environment?: Variable[];
  /** Most programs answer; the load generator and the worker have no Service. */
  isService?: boolean;
  memory?: string;
  container?: object;
  pod?: object;
}

function container({ role, environment = [], memory = '128Mi', container: more = {} }: Part) {
  return {
    name: role,
    image: `${SHOP_IMAGE}:${SHOP_TAGS[0]}`,
    imagePullPolicy: 'IfNotPresent',
    args: [role],
    env: [...environment, ...plain({ NODE_OPTIONS: '--max-old-space-size=64' })],
    resources: { requests: { cpu: '10m', memory: '40Mi' }, limits: { memory } },
    ...more,
  };
}

/** Patient ones: a restart because the machine is busy would be an incident of its own. */
const PROBES = {
  readinessProbe: { ...get('/ready'), periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 2 },
  livenessProbe: {
    ...get('/live'),
    initialDelaySeconds: 30,
    periodSeconds: 20,
    timeoutSeconds: 15,
    failureThreshold: 3,
  },
};

function deployment(part: Part): KubeObject {
  const labels = { app: part.role };
  const probes = part.role === 'load' ? {} : part.role === 'worker' ? { livenessProbe: PROBES.livenessProbe } : PROBES;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: part.role, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      // The old pod goes first, as where two of them would not fit.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 2,
          enableServiceLinks: false,
          automountServiceAccountToken: false,
          containers: [container({ ...part, container: { ...probes, ...part.container } })],
          ...part.pod,
        },
      },
    },
  };
}

const service = (name: string, port: number, nodePort?: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: { app: name } },
  spec: {
    selector: { app: name },
    ports: [{ name: 'main', port, targetPort: port, ...(nodePort === undefined ? {} : { nodePort }) }],
    type: nodePort === undefined ? 'ClusterIP' : 'NodePort',
  },
});

const database = (): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'database', labels: { app: 'database' } },
  spec: {
    serviceName: 'database',
    replicas: 1,
    selector: { matchLabels: { app: 'database' } },
    template: {
      metadata: { labels: { app: 'database' } },
      spec: {
        terminationGracePeriodSeconds: 5,
        enableServiceLinks: false,
        automountServiceAccountToken: false,
        containers: [
          container({
            role: 'database',
            environment: [PASSWORD],
            memory: '192Mi',
            container: {
              ports: [{ containerPort: 5432 }],
              readinessProbe: { tcpSocket: { port: 5432 }, periodSeconds: 5 },
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
            },
          }),
        ],
        volumes: [{ name: 'data', emptyDir: {} }],
        securityContext: { fsGroup: 1000 },
      },
    },
  },
});

const CART_SETTINGS = {
  container: { volumeMounts: [{ name: 'settings', mountPath: '/etc/cart' }] },
  pod: { volumes: [{ name: 'settings', configMap: { name: 'cart-settings' } }] },
};

/** Returns all objects of a shop whose front answers at `nodePort` of every node. */
export function shopObjects(nodePort: number): KubeObject[] {
  const parts: Part[] = [
    {
      role: 'front',
      environment: plain({ CATALOG_URL: at('catalog'), CART_URL: at('cart'), ORDERS_URL: at('orders') }),
    },
    { role: 'catalog', environment: DATABASE },
    { role: 'cart', environment: plain({ CART_SETTINGS: '/etc/cart/settings.json' }), ...CART_SETTINGS },
    { role: 'orders', environment: [...DATABASE, ...plain({ QUEUE_URL: at('queue') })] },
    { role: 'queue' },
    { role: 'worker', environment: [...DATABASE, ...plain({ QUEUE_URL: at('queue') }), CURRENCY] },
    { role: 'load', environment: plain({ FRONT_URL: at('front'), RATE: '0.5' }) },
  ];
  const settings = (name: string, data: Record<string, string>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data,
  });
  return [
    settings('cart-settings', { 'settings.json': '{"currency":"EUR"}' }),
    settings('settings', { currency: 'EUR', motto: 'every ship counts' }),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'database' },
      stringData: { password: 'a-password-of-the-lab' },
    },
    database(),
    service('database', 5432),
    ...parts.map((part) => deployment(part)),
    service('front', SHOP_PORT, nodePort),
    ...['catalog', 'cart', 'orders', 'queue'].map((name) => service(name, SHOP_PORT)),
  ];
}
