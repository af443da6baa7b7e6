import { runCommand } from '../command.ts';
import { type KubeObject, shopObjects } from './manifests.ts';

interface JsonPatch {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: unknown;
}

/** One shop in a namespace of its own, as the incidents handle it. */
export interface Shop {
  namespace: string;
  /** kubectl in the namespace. */
  kubectl(args: string[], input?: string): Promise<string>;
  apply(...objects: KubeObject[]): Promise<void>;
  /** A JSON patch of one object, `kind/name`. */
  patch(object: string, ...operations: JsonPatch[]): Promise<void>;
  /** Sets a variable of a Deployment's only container; null removes it. */
  setVariable(deployment: string, name: string, value: string | null): Promise<void>;
  /** Replaces pods as `kubectl rollout restart` does. */
  restart(deployment: string): Promise<void>;
  /** Runs SQL as the administrator of the database. */
  sql(text: string): Promise<string>;
}

/** kubectl of the whole cluster. */
export const kubectl = (args: string[], input?: string): Promise<string> => runCommand('kubectl', args, input);

function shopAt(namespace: string): Shop {
  const inside = (args: string[], input?: string) => kubectl(['-n', namespace, ...args], input);
  return {
    namespace,
    kubectl: inside,
    async apply(...items) {
      await inside(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    },
    async patch(object, ...operations) {
      await inside(['patch', object, '--type=json', '-p', JSON.stringify(operations)]);
    },
    async setVariable(deployment, name, value) {
      await inside(['set', 'env', `deployment/${deployment}`, value === null ? `${name}-` : `${name}=${value}`]);
    },
    async restart(deployment) {
      await inside(['rollout', 'restart', `deployment/${deployment}`]);
    },
    sql: (text) => inside(['exec', 'database-0', '--', 'node', '/app/psql.mjs', text]),
  };
}

let opening: Promise<unknown> = Promise.resolve();

/**
 * Makes the namespace with a shop and waits until every part of it is ready. One shop opens at a time: the starts of several
 * would slow each other down until probes fail.
 */
export function openShop(namespace: string, nodePort: number): Promise<Shop> {
  const open = async (): Promise<Shop> => {
    await kubectl(['create', 'namespace', namespace]);
    const shop = shopAt(namespace);
    await shop.apply(...shopObjects(nodePort));
    await untilWhole(shop);
    return shop;
  };
  const opened = opening.then(open);
  opening = opened.catch(() => {});
  return opened;
}

/** Deletes the shops that a killed lab left. */
export async function closeAllShops(): Promise<void> {
  const names = (await kubectl(['get', 'namespaces', '-o', 'name']))
    .split('\n')
    .filter((name) => /\/shop-\d+$/.test(name));
  if (names.length > 0) await kubectl(['delete', ...names, '--ignore-not-found', '--wait=false']);
}

/** Waits until every Deployment and the database have their replicas. */
export async function untilWhole(shop: Shop): Promise<void> {
  const deployments = (await shop.kubectl(['get', 'deployments', '-o', 'name'])).trim().split('\n');
  for (const object of ['statefulset/database', ...deployments])
    await shop.kubectl(['rollout', 'status', object, '--timeout=110s']);
}

export const closeShop = ({ namespace }: Pick<Shop, 'namespace'>): Promise<string> =>
  kubectl(['delete', 'namespace', namespace, '--ignore-not-found', '--wait=false']);
