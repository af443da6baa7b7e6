import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { createHash } from 'node:crypto';
import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import type { DemoHost, DemoRole } from './fleet.ts';
import { noise, type Figures } from './figures.ts';

const MIB = 2 ** 20;

/** Memory in MiB of a usual moment; the limit null: none is set. */
type Image = [
  name: string,
  image: string,
  project: string | null,
  cpuShare: number,
  memory: number,
  limit: number | null,
];
const IMAGES: Partial<Record<DemoRole, readonly Image[]>> = {
  web: [
    ['traefik', 'traefik:3.5', 'edge', 0.08, 136, 256],
    ['checkout-web', 'shop/web:4.18.2', 'shop', 0.45, 390, 768],
    ['redis-sessions', 'redis:8.2', 'shop', 0.04, 180, 512],
  ],
  cache: [['redis-cart', 'redis:8.2', null, 0.7, 2970, 4096]],
  queue: [
    ['rabbitmq', 'rabbitmq:4.1', 'queue', 0.5, 1820, 2048],
    ['consumer', 'shop/consumer:4.18.2', 'queue', 0.2, 420, 1024],
  ],
  logs: [
    ['vector', 'vector:0.50', 'obs', 0.3, 96, 256],
    ['loki', 'loki:3.5', 'obs', 0.25, 980, 4096],
    ['grafana', 'grafana:12.2', 'obs', 0.05, 388, 512],
  ],
  build: [
    ['buildkit', 'buildkit:0.24.1', null, 0.6, 4160, null],
    ['postgres-ci', 'postgres:17', 'ci', 0.15, 1220, 4096],
  ],
  backup: [['minio', 'minio:2026-09', null, 0.2, 540, 2048]],
  edge: [['edge-proxy', 'haproxy:3.2', null, 0.6, 96, 256]],
};

/** Troubles of some hosts, by host and container. */
const TROUBLES: Readonly<Record<string, (at: number) => Partial<ContainerPart>>> = {
  // Five or more restarts in an hour: a loop.
  'web-fra-03 checkout-web': (at) => ({
    state: 'restarting',
    since: at - 20,
    exit_code: 137,
    oom_killed: true,
    oom_kills: 9,
    restarts: 9,
    restarts_last_hour: 6,
    cpu_percent: 2.1,
    memory_bytes: 722 * MIB,
  }),
  'web-dub-02 checkout-web': (at) => ({ state: 'unhealthy', since: at - 2 * 3600, restarts: 1 }),
};

/** Containers that do not run. */
const STOPPED: Readonly<Record<string, (at: number) => ContainerPart>> = {
  'batch-syd-01': (at) =>
    stopped('etl-runner', 'etl/run:2026.11', { since: at - 18 * 60, exit_code: 137, oom_killed: true, restarts: 3 }),
  'web-fra-02': (at) =>
    stopped('old-admin', 'shop/admin:2.0', {
      since: at - 12 * DAY_SECONDS,
      exit_code: 0,
      restarts: 0,
      project: 'shop',
    }),
};

const idOf = (host: DemoHost, name: string): string =>
  createHash('sha256').update(`${host.name}/${name}`).digest('hex').slice(0, 12);

function stopped(name: string, image: string, facts: Partial<ContainerPart>): ContainerPart {
  return {
    id: '',
    name,
    image,
    runtime: 'docker',
    cpu_percent: null,
    memory_bytes: null,
    memory_limit_bytes: null,
    state: 'exited',
    ...facts,
  };
}

/** Returns the containers of a host at a moment, as a collector with `container_socket` reports them; undefined: none. */
export function containersAt(host: DemoHost, at: number, figures: Figures, now: number): ContainerPart[] | undefined {
  const running = (IMAGES[host.role] ?? []).map(
    ([name, image, project, cpuShare, memory, limit], index): ContainerPart => {
      const sway = 0.9 + noise(host.seed * 17 + index, Math.floor(at / 300)) * 0.2;
      const busy = figures.cpuPercent * host.cores * cpuShare * sway;
      const trouble = TROUBLES[`${host.name} ${name}`]?.(at) ?? {};
      return {
        id: idOf(host, name),
        name,
        image,
        runtime: 'docker',
        cpu_percent: busy,
        memory_bytes: Math.round(memory * MIB * (0.97 + sway * 0.03)),
        memory_limit_bytes: limit === null ? null : limit * MIB,
        state: 'running',
        since: now - (3 + ((host.seed * 7 + index * 13) % 80)) * DAY_SECONDS,
        oom_kills: 0,
        restarts: 0,
        ...(project !== null && { project }),
        ...trouble,
      };
    },
  );
  const ended = STOPPED[host.name]?.(at);
  const all = ended === undefined ? running : [...running, { ...ended, id: idOf(host, ended.name ?? '') }];
  return all.length === 0 ? undefined : all;
}
