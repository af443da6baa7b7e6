import { setTimeout } from 'node:timers/promises';
import type { Incident } from '../incident.ts';
import { SHOP_IMAGE } from './manifests.ts';
import { migrationJob } from './services.ts';
import { type Shop, kubectl } from './shop.ts';

const POD = '/spec/template/spec';
const CONTAINER = `${POD}/containers/0`;
const SETTLED_MS = 20_000;

const rollout = (name: string) => ({ kind: 'Deployment', name });
const workload = (name: string) => [{ kind: 'workload' as const, name }];
const object = (objectKind: string, name: string) => ({ kind: 'object' as const, objectKind, name });

/** A container of the shop's image that runs a short script. */
const scripted = (name: string, script: string) => ({
  name,
  image: `${SHOP_IMAGE}:1`,
  imagePullPolicy: 'IfNotPresent',
  command: ['node', '--input-type=module', '-e', script],
});

const job = (name: string, spec: object, pod: object) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: {
    backoffLimit: 0,
    ...spec,
    template: { spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, ...pod } },
  },
});

/** Faults of objects beside the workloads: volumes, rights, priorities, secrets and Jobs. */
export const FURTHER_OBJECTS: Incident<Shop>[] = [
  {
    name: 'claim-mismatch',
    fault: 'orders gets a volume whose claim asks for ReadWriteMany; the volume that it names offers ReadWriteOnce',
    causes: [
      {
        entities: [{ kind: 'volume_claim', name: 'archive' }, object('PersistentVolume', 'archive')],
        mechanism: 'claim does not fit its volume',
        change: rollout('orders'),
      },
    ],
    related: workload('orders'),
    decoy: 'cart is scaled from 1 to 2 replicas just before',
    async inject(shop) {
      await shop.kubectl(['scale', 'deployment/cart', '--replicas=2']);
      await kubectl(['apply', '-f', '-'], JSON.stringify(ARCHIVE));
      await shop.apply({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'archive' },
        spec: {
          accessModes: ['ReadWriteMany'],
          storageClassName: '',
          volumeName: 'archive',
          resources: { requests: { storage: '1Gi' } },
        },
      });
      await shop.patch('deployment/orders', {
        op: 'add',
        path: `${POD}/volumes`,
        value: [{ name: 'archive', persistentVolumeClaim: { claimName: 'archive' } }],
      });
    },
    async undo() {
      await kubectl(['delete', 'persistentvolume', 'archive', '--ignore-not-found', '--wait=false']);
    },
  },
  {
    name: 'role-binding-removed',
    fault: 'the RoleBinding is deleted that lets the init container of cart read a ConfigMap; cart is restarted later',
    causes: [
      {
        entities: [
          object('RoleBinding', 'cart-reads-settings'),
          object('Role', 'cart-reads-settings'),
          object('ServiceAccount', 'cart'),
        ],
        mechanism: 'permission removed, API answers forbidden',
        // The ledger does not watch these kinds.
        change: null,
      },
    ],
    related: workload('cart'),
    decoy: 'the restart itself',
    async inject(shop) {
      await shop.apply(...rights(shop));
      await shop.patch(
        'deployment/cart',
        { op: 'add', path: `${POD}/serviceAccountName`, value: 'cart' },
        { op: 'replace', path: `${POD}/automountServiceAccountToken`, value: true },
        { op: 'add', path: `${POD}/initContainers`, value: [{ ...scripted('settings', FETCH_SETTINGS), env: TRUST }] },
      );
      await shop.kubectl(['rollout', 'status', 'deployment/cart', '--timeout=90s']);
      await setTimeout(SETTLED_MS);
      await shop.kubectl(['delete', 'rolebinding', 'cart-reads-settings']);
      await shop.restart('cart');
    },
  },
  {
    name: 'priority-preempts',
    fault:
      'a Job of a high priority must not run beside catalog, on the only node; the scheduler evicts catalog for it',
    causes: [
      {
        entities: [...workload('nightly-import'), object('PriorityClass', 'urgent-import')],
        mechanism: 'pods of a higher priority preempt others',
        change: { kind: 'Job', name: 'nightly-import' },
      },
    ],
    related: workload('catalog'),
    decoy: null,
    async inject(shop) {
      const priority = {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: 'urgent-import' },
        value: 100_000,
      };
      await kubectl(['apply', '-f', '-'], JSON.stringify(priority));
      const apart = { labelSelector: { matchLabels: { app: 'catalog' } }, topologyKey: 'kubernetes.io/hostname' };
      const pod = {
        priorityClassName: 'urgent-import',
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } },
        containers: [scripted('import', 'setTimeout(() => {}, 900_000)')],
      };
      await shop.apply(job('nightly-import', {}, pod));
    },
    async undo() {
      await kubectl(['delete', 'priorityclass', 'urgent-import', '--ignore-not-found']);
    },
  },
  {
    name: 'secret-rotated',
    fault:
      'a rotation writes a new password to the Secret database and not to the database; catalog is restarted later',
    causes: [
      {
        entities: [object('Secret', 'database')],
        mechanism: 'Secret with a password that the database refuses',
        // The ledger does not watch Secrets.
        change: null,
      },
    ],
    related: [...workload('catalog'), ...workload('database'), { kind: 'service', name: 'database' }],
    decoy: 'the restart itself',
    async inject(shop) {
      const password = Buffer.from('password-of-the-rotation').toString('base64');
      await shop.patch('secret/database', { op: 'replace', path: '/data/password', value: password });
      await shop.restart('catalog');
    },
  },
  {
    name: 'column-renamed',
    fault: 'a Job renames the column price of a table and ends well; the running catalog still asks for the old name',
    causes: [
      {
        entities: workload('rename-price'),
        mechanism: 'migration took away what a program reads',
        change: { kind: 'Job', name: 'rename-price' },
      },
    ],
    related: [...workload('catalog'), ...workload('database')],
    decoy: null,
    inject: (shop) =>
      shop.apply(migrationJob('rename-price', { STATEMENT: 'ALTER TABLE items RENAME COLUMN price TO price_cents' })),
  },
  {
    name: 'two-job-and-startup',
    fault:
      'a sidecar that never ends keeps the Job close-books past its deadline; at the same time, cart gets a CPU limit with which its start takes many seconds, and a startup probe that waits 2',
    causes: [
      {
        entities: workload('close-books'),
        mechanism: 'sidecar never ends, deadline of the Job passes',
        change: { kind: 'Job', name: 'close-books' },
      },
      { entities: workload('cart'), mechanism: 'startup probe too impatient', change: rollout('cart') },
    ],
    decoy: null,
    async inject(shop) {
      const containers = [
        scripted('close', "setTimeout(() => console.log('the books are closed'), 3000)"),
        scripted('log-shipper', "setInterval(() => console.log('0 lines to ship'), 5000)"),
      ];
      await shop.apply(job('close-books', { activeDeadlineSeconds: 25 }, { containers }));
      const startupProbe = {
        httpGet: { path: '/live', port: 8080 },
        periodSeconds: 1,
        timeoutSeconds: 1,
        failureThreshold: 2,
      };
      await shop.patch(
        'deployment/cart',
        { op: 'add', path: `${CONTAINER}/startupProbe`, value: startupProbe },
        { op: 'add', path: `${CONTAINER}/resources/limits/cpu`, value: '30m' },
      );
    },
  },
];

/** Made by hand, as where no provisioner makes volumes. */
const ARCHIVE = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'archive' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName: '',
    hostPath: { path: '/var/lib/archive', type: 'DirectoryOrCreate' },
  },
};

const RBAC = 'rbac.authorization.k8s.io';
const rights = ({ namespace }: Shop) => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'cart' } },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata: { name: 'cart-reads-settings' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['cart-settings'], verbs: ['get'] }],
  },
  {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'cart-reads-settings' },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'cart-reads-settings' },
    subjects: [{ kind: 'ServiceAccount', name: 'cart', namespace }],
  },
];

const TRUST = [{ name: 'NODE_EXTRA_CA_CERTS', value: '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt' }];
const FETCH_SETTINGS = `
import { readFileSync } from 'node:fs';
const own = (name) => readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/' + name, 'utf8');
const url = 'https://kubernetes.default.svc/api/v1/namespaces/' + own('namespace') + '/configmaps/cart-settings';
const answer = await fetch(url, { headers: { authorization: 'Bearer ' + own('token') } });
const { message } = await answer.json();
if (!answer.ok) {
  console.error('FATAL cannot read the settings: ' + message);
  process.exit(1);
}
`;
