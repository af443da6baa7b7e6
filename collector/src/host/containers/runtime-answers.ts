import type { ContainerState } from '@plimsoll/contract/rules/container-states';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';

/** A container as the runtime lists it. */
export interface ListedContainer {
  /** 64 hex digits. */
  id: string;
  name: string | null;
  image: string | null;
  project: string | null;
  state: ContainerState | undefined;
  exitCode: number | null;
  /** The list says whether the health check fails; else only an inspection does. */
  showsHealth: boolean;
  /** It started less than a minute ago, so it may have restarted since the last reading. */
  isNew: boolean;
}

/** Facts that only the inspection of one container gives. */
export interface Inspection {
  restarts: number | null;
  oomKilled: boolean | undefined;
  /** Epoch seconds. */
  startedAt: number | null;
  finishedAt: number | null;
  exitCode: number | null;
  /** null: it has no health check. */
  health: string | null;
}

const NAME_BYTES = 256;
const HEX_ID = /^[0-9a-f]{64}$/;
/** Docker and Podman have different words for some states. */
const STATES: Readonly<Record<string, ContainerState>> = {
  running: 'running',
  stopping: 'running',
  restarting: 'restarting',
  paused: 'paused',
  created: 'created',
  initialized: 'created',
  configured: 'created',
  exited: 'exited',
  stopped: 'exited',
  removing: 'exited',
  dead: 'dead',
};

/** The runtime is another program: nothing about the shape of its answers is taken for granted. */
const child = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
function text(value: unknown, key: string): string | null {
  const found = child(value, key);
  return typeof found === 'string' && found !== '' ? found : null;
}
const whole = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);
const cut = (value: string | null): string | null =>
  value === null ? null : cutToBytes(value.toWellFormed(), NAME_BYTES);

/** Parses the answer of GET /containers/json. Throws if it is no list; an entry without an id is left out. */
export function parseList(json: string, most: number): ListedContainer[] {
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) throw new Error('the answer is no list of containers');
  return list.slice(0, most).flatMap((entry) => parseEntry(entry) ?? []);
}

function parseEntry(entry: unknown): ListedContainer | null {
  const id = text(entry, 'Id');
  if (id === null || !HEX_ID.test(id)) return null;
  const names = child(entry, 'Names');
  const name: unknown = Array.isArray(names) ? names[0] : undefined;
  // "Up 2 hours (unhealthy)", "Exited (137) 3 hours ago", "Up 5 seconds".
  const status = (text(entry, 'Status') ?? '').slice(0, NAME_BYTES);
  const health = text(child(entry, 'Health'), 'Status');
  const state = STATES[(text(entry, 'State') ?? '').toLowerCase()];
  const exit = /\((-?\d{1,10})\)/.exec(status)?.[1];
  const labels = child(entry, 'Labels');
  return {
    id,
    name: typeof name === 'string' && name !== '' ? cut(name.replace(/^\//, '')) : null,
    image: cut(text(entry, 'Image')),
    project: cut(text(labels, 'com.docker.compose.project') ?? text(labels, 'io.podman.compose.project')),
    state: state === 'running' && (health === 'unhealthy' || status.includes('(unhealthy)')) ? 'unhealthy' : state,
    exitCode: state === 'exited' && exit !== undefined ? Number(exit) : null,
    showsHealth: health !== null || /\((?:un)?healthy\)|\(health: starting\)/.test(status),
    isNew: /^Up (?:\d+ seconds?|Less than a second)/.test(status),
  };
}

/** Parses the answer of GET /containers/ID/json. Throws if it is no JSON. */
export function parseInspection(json: string): Inspection {
  const answer: unknown = JSON.parse(json);
  const state = child(answer, 'State');
  const oomKilled = child(state, 'OOMKilled');
  return {
    restarts: whole(child(answer, 'RestartCount')),
    oomKilled: typeof oomKilled === 'boolean' ? oomKilled : undefined,
    startedAt: timeOf(text(state, 'StartedAt')),
    finishedAt: timeOf(text(state, 'FinishedAt')),
    exitCode: whole(child(state, 'ExitCode')),
    health: text(child(state, 'Health'), 'Status') ?? text(child(state, 'Healthcheck'), 'Status'),
  };
}

/** "0001-01-01T00:00:00Z" stands for never. */
function timeOf(iso: string | null): number | null {
  const time = Date.parse(iso ?? '') / 1000;
  return Number.isFinite(time) && time > 0 ? time : null;
}
