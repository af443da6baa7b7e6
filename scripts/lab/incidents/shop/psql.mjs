import { Client } from 'pg';

// Runs a statement as the administrator of the database, inside its pod.
const client = new Client({ host: '/tmp', user: 'postgres', database: 'shop' });
await client.connect();
const { rows } = await client.query(process.argv[2]);
console.log(JSON.stringify(rows));
await client.end();
