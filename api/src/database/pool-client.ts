import { Client, type ClientBase, type ClientConfig, type PoolConfig } from 'pg';
import { clientConfigOf, hostsOf, type Connection } from './connection.ts';
import { requireWritable } from './open-client.ts';

/**
 * Removes the name of a prepared statement: a pooler in transaction mode gives the next transaction another session,
 * which has not prepared it.
 */
function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('name' in statement)) return statement;
  const { name: _, ...unnamed } = statement;
  return unnamed;
}

/** Clients that never name a statement. `query` has many overloads; each passes its statement first. */
class UnnamedClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...parts: unknown[]) => unknown;
    this.query = ((statement: unknown, ...rest: unknown[]) =>
      query(withoutName(statement), ...rest)) as ClientBase['query'];
  }
}

/** Two parts of a pool that connects to the host that can write. */
interface PoolHosts {
  Client: NonNullable<PoolConfig['Client']>;
  /** Refuses a new connection that cannot write, so that the next one goes to another host. */
  check(client: ClientBase): Promise<void>;
}

/**
 * Returns the clients of a pool. Each goes to the host that worked last; the first failure moves on to the next host.
 * `isPooled`: the connection leads through a pooler in transaction mode.
 */
export function createPoolHosts(connection: Connection, isPooled: boolean): PoolHosts {
  const hosts = hostsOf(connection).map(clientConfigOf);
  const Base: typeof Client = isPooled ? UnnamedClient : Client;
  let current = 0;
  /** Several connections to one host can fail at once. The first of them moves on. */
  const leave = (host: number): void => {
    if (host === current) current = (host + 1) % hosts.length;
  };
  const hostOf = new WeakMap<ClientBase, number>();
  class HostClient extends Base {
    constructor(options?: ClientConfig) {
      super({ ...options, ...hosts[current] });
      const host = current;
      hostOf.set(this, host);
      let isConnected = false;
      this.once('connect', () => (isConnected = true));
      this.once('end', () => {
        if (!isConnected) leave(host);
      });
    }
  }
  return {
    Client: HostClient,
    check: async (client) => {
      if (hosts.length === 1) return;
      try {
        await requireWritable(client);
      } catch (error) {
        leave(hostOf.get(client) ?? current);
        throw error;
      }
    },
  };
}
