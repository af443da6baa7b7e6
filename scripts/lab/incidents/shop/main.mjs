import { database } from './database.mjs';
import { front } from './front.mjs';
import { load } from './load.mjs';
import { migration } from './migration.mjs';
import { queue } from './queue.mjs';
import { cart, catalog, orders } from './services.mjs';
import { worker } from './worker.mjs';

const ROLES = { front, catalog, cart, orders, queue, worker, load, database, migration };

// As process 1 of a container it would otherwise ignore the signal that ends a pod.
process.on('SIGTERM', () => process.exit(0));
const [name] = process.argv.slice(2);
const role = ROLES[name];
if (role === undefined) {
  console.error(`Error: unknown command "${name}". Use one of ${Object.keys(ROLES).join(', ')}`);
  process.exit(64);
}
await role(process.env);
