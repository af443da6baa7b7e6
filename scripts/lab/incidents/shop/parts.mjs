import { createServer } from 'node:http';
import { Client } from 'pg';

const PORT = 8080;
const TIMEOUT_MS = 2000;
/** Each request has a connection of its own: a kept one would lead to the old pod after its Service has changed. */
const HEADERS = { 'content-type': 'application/json', connection: 'close' };

export const log = (level, text) => console.error(`${new Date().toISOString()} ${level} ${text}`);

/** Returns a variable, or ends the program as one does that cannot work without it. */
export function required(environment, name) {
  const value = environment[name];
  if (value) return value;
  log('FATAL', `environment variable ${name} is not set`);
  process.exit(1);
}

/** Returns the whole reason of an error: fetch hides it in `cause`, and several addresses in `errors`. */
export function reasonOf(error) {
  const inner = error.cause ?? error;
  const all = inner.errors ?? [inner];
  return all.map((one) => one.message || one.code).join('; ');
}

/** Sends a request and returns the JSON of the answer. Throws with the address and the reason. */
export async function call(base, path, init = {}) {
  const url = base + path;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return await answer.json();
  } catch (error) {
    throw new Error(`${init.method ?? 'GET'} ${url}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Runs one statement on a connection of its own, as small services do. */
export async function query(environment, text, values = []) {
  const client = new Client({
    host: required(environment, 'DATABASE_HOST'),
    port: Number(environment.DATABASE_PORT ?? 5432),
    user: environment.DATABASE_USER ?? 'shop',
    password: environment.DATABASE_PASSWORD ?? '',
    database: 'shop',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text, values)).rows;
  } catch (error) {
    throw new Error(`database ${client.host}:${client.port}: ${reasonOf(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}

/** Waits for a dependency at the start, at most `seconds`; then ends the program. */
export async function untilReady(what, seconds, ask) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) {
        log('FATAL', `${what} is not available: ${error.message}`);
        process.exit(1);
      }
      log('WARN', `waiting for ${what}: ${error.message}`);
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

const bodyOf = async (request) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
};

/** Serves `routes`, by "METHOD /path"; `/live` always answers, `/ready` answers what `ready` finds. */
export function serve(routes, ready = async () => {}) {
  const all = {
    'GET /live': async () => ({ live: true }),
    'GET /ready': async () => (await ready()) ?? { ready: true },
  };
  const table = { ...all, ...routes };
  const answer = async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const route = table[`${request.method} ${pathname}`];
    try {
      const body = route ? await route(await bodyOf(request)) : null;
      response.writeHead(body === null ? 404 : 200, HEADERS);
      response.end(JSON.stringify(body));
    } catch (error) {
      log('ERROR', `${request.method} ${pathname} failed: ${error.message}`);
      response.writeHead(503, HEADERS);
      response.end(JSON.stringify({ error: error.message }));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(PORT, () => log('INFO', `listening on port ${PORT}`));
}
