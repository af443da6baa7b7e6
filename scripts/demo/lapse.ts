import { createApp } from '../../api/src/app.ts';
import { SecretBox, SEALING_KEY_BYTES } from '../../api/src/accounts/secret-encryption.ts';
import type { Clock } from '../../api/src/clock.ts';
import { loadConfig } from '../../api/src/config.ts';
import { createDeps, type Deps, type OpenedStorage } from '../../api/src/deps.ts';
import { noLimits } from '../../api/src/testing/no-limits.ts';
import { createPostgresStorage } from '../../api/src/postgres-storage.ts';
import { createLogger } from '../../api/src/telemetry/logger.ts';
import { createMetrics } from '../../api/src/telemetry/metrics.ts';
import { type Post } from './machines.ts';

/** A clock that the start moves through the past. */
class MovedClock implements Clock {
  ms = 0;
  now(): number {
    return this.ms;
  }
}

export interface Lapse {
  deps: Deps;
  clock: MovedClock;
  post: Post;
}

/** Returns the API without a socket, on the storage of the demo, at any moment of the past. */
export function lapseOn(opened: OpenedStorage): Lapse {
  const clock = new MovedClock();
  const config = loadConfig();
  const deps = createDeps({
    config,
    clock,
    log: createLogger({ ...config.log, level: 'warn' }),
    metrics: createMetrics(),
    secretBox: new SecretBox(Buffer.alloc(SEALING_KEY_BYTES)),
    storage: createPostgresStorage({ connection: opened.connection, clock }),
    rates: noLimits(),
  });
  const app = createApp(deps);
  const post: Post = async (path, token, body) => {
    const answer = await app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${String(answer.status)}: ${text.slice(0, 500)}`);
    const json = JSON.parse(text) as { data?: Record<string, unknown> };
    return json.data ?? json;
  };
  return { deps, clock, post };
}
