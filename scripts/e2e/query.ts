import { Client, type QueryResultRow } from 'pg';
import type { Connection } from '../../api/src/database/connection.ts';

/** One query on a connection of its own. */
export async function query<Row extends QueryResultRow>(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
