import { Client } from 'pg';
import { log, reasonOf, required } from './parts.mjs';

/** Alters a table, by STATEMENT if there is one, in a transaction that it leaves open for HOLD_SECONDS. */
export async function migration(environment) {
  const client = new Client({
    host: required(environment, 'DATABASE_HOST'),
    user: 'shop',
    password: environment.DATABASE_PASSWORD ?? '',
    database: 'shop',
  });
  try {
    await client.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE items, orders IN ACCESS EXCLUSIVE MODE');
    if (environment.STATEMENT) await client.query(environment.STATEMENT);
  } catch (error) {
    log('FATAL', `migration failed: ${reasonOf(error)}`);
    process.exit(1);
  }
  log('INFO', 'altering items and orders');
  await new Promise((resolve) => setTimeout(resolve, Number(environment.HOLD_SECONDS ?? 0) * 1000));
  await client.query('COMMIT');
  await client.end();
  log('INFO', 'done');
  process.exit(0);
}
