import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import type { UnixRequest } from '../../runtime/unix-http.ts';
import { type Inspection, type ListedContainer, parseInspection, parseList } from './runtime-answers.ts';

/** Facts of a container that only its runtime has. */
export type RuntimeContainer = Pick<ListedContainer, 'id' | 'name' | 'image' | 'project'> &
  Pick<ContainerPart, 'state' | 'since' | 'exit_code' | 'oom_killed'> & { restarts: number | null };

export interface RuntimeReading {
  containers: readonly RuntimeContainer[];
  /** Why the containers are those of an earlier reading, whose names still hold but not their states; null: they are new. */
  problem: string | null;
}
export interface ContainerRuntime {
  /** Never throws, and never takes longer than its limit of time. */
  read(): Promise<RuntimeReading>;
}

/** All requests of one reading together. A report waits for them, so a runtime that hangs costs at most this. */
const READING_MS = 1500;
/** 200 containers with many labels and mounts take 1 MB. */
const LIST_BYTES = 4_194_304;
const INSPECTION_BYTES = 524_288;
/** Inspections of one reading; the rest waits for the next. */
const MOST_INSPECTIONS = 20;
/** A running container is inspected again after this many readings, in case a change was missed. */
const FRESH_READINGS = 15;
/** After a failure the runtime is left alone for 1, 2, 4 … readings. */
const MOST_PAUSE = 8;

interface Inspected {
  inspection: Inspection;
  state: ListedContainer['state'];
  /** Number of the reading. */
  reading: number;
}

/** Reads the containers of Docker or Podman through its socket. `milliseconds` is any steadily growing clock. */
export function containerRuntime(
  socket: string,
  request: UnixRequest,
  milliseconds: () => number = () => performance.now(),
): ContainerRuntime {
  let inspected = new Map<string, Inspected>();
  let last: readonly RuntimeContainer[] = [];
  let problem: string | null = null;
  let [reading, pause, failures] = [0, 0, 0];

  async function get(path: string, until: number, bytes: number): Promise<string> {
    const timeoutMs = Math.ceil(until - milliseconds());
    if (timeoutMs <= 0) throw new Error(`${socket}: no answer within ${READING_MS} ms`);
    const { status, text } = await request(socket, path, { timeoutMs, bytes });
    if (status !== 200) throw new Error(`${socket}: answers with status ${status}`);
    return text;
  }

  async function inspect(listed: readonly ListedContainer[], until: number): Promise<void> {
    const due = listed
      .filter((one) => isDue(one, inspected.get(one.id), reading))
      .toSorted((a, b) => rankOf(a, inspected) - rankOf(b, inspected));
    for (const { id, state } of due.slice(0, MOST_INSPECTIONS)) {
      try {
        const inspection = parseInspection(await get(`/containers/${id}/json`, until, INSPECTION_BYTES));
        inspected.set(id, { inspection, state, reading });
      } catch {
        // It may be gone by now. The list has the rest.
        if (milliseconds() >= until) return;
      }
    }
  }

  async function readAll(): Promise<readonly RuntimeContainer[]> {
    const until = milliseconds() + READING_MS;
    const most = REPORT_LIMITS.containers;
    const listed = parseList(await get(`/containers/json?all=true&limit=${most}`, until, LIST_BYTES), most);
    const ids = new Set(listed.map(({ id }) => id));
    inspected = new Map([...inspected].filter(([id]) => ids.has(id)));
    await inspect(listed, until);
    return listed.map((one) => shape(one, inspected.get(one.id)?.inspection));
  }

  return {
    read: async () => {
      reading += 1;
      if (pause > 0) {
        pause -= 1;
        return { containers: last, problem };
      }
      try {
        last = await readAll();
        [problem, failures] = [null, 0];
      } catch (error) {
        // A parser's own words would repeat the answer.
        const reason = error instanceof SyntaxError ? `${socket}: the answer is no JSON` : (error as Error).message;
        failures += 1;
        pause = Math.min(2 ** (failures - 1), MOST_PAUSE);
        problem = reason;
      }
      return { containers: last, problem };
    },
  };
}

function isDue(one: ListedContainer, known: Inspected | undefined, reading: number): boolean {
  if (known === undefined || known.state !== one.state || one.isNew || one.state === 'restarting') return true;
  if (known.inspection.health !== null && !one.showsHealth) return true;
  return reading - known.reading >= FRESH_READINGS;
}

/** Inspects what restarts first, then what was never inspected. */
const rankOf = (one: ListedContainer, inspected: ReadonlyMap<string, Inspected>): number =>
  one.state === 'restarting' ? 0 : inspected.has(one.id) ? 2 : 1;

function shape(one: ListedContainer, inspection: Inspection | undefined): RuntimeContainer {
  const { id, name, image, project } = one;
  const state =
    one.state === 'running' && inspection?.health === 'unhealthy' && !one.showsHealth ? 'unhealthy' : one.state;
  const hasEnded = state === 'exited' || state === 'dead' || state === 'restarting';
  return {
    id,
    name,
    image,
    project,
    state,
    since: (hasEnded ? inspection?.finishedAt : inspection?.startedAt) ?? null,
    exit_code: hasEnded ? (one.exitCode ?? inspection?.exitCode ?? null) : null,
    ...(inspection?.oomKilled !== undefined && { oom_killed: inspection.oomKilled }),
    restarts: inspection?.restarts ?? null,
  };
}
