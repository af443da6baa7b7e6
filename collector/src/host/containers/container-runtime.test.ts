import { describe, expect, it } from 'vitest';
import { unixRequest } from '../../runtime/unix-http.ts';
import { runtimeSocket, sendJson } from '../../testing/runtime-socket.ts';
import { containerRuntime } from './container-runtime.ts';

const id = (digit: string): string => digit.repeat(64);
/** As Docker 28 answers GET /containers/json?all=true, cut to what is read and some that is not. */
const LIST = [
  {
    Id: id('a'),
    Names: ['/checkout-web'],
    Image: 'shop/web:4.18.2',
    Command: '/entry',
    Labels: { 'com.docker.compose.project': 'shop' },
    State: 'restarting',
    Status: 'Restarting (137) 4 seconds ago',
  },
  { Id: id('b'), Names: ['/etl'], Image: 'etl', Labels: {}, State: 'exited', Status: 'Exited (137) 18 minutes ago' },
  { Id: id('c'), Names: ['/api'], Image: 'api', Labels: null, State: 'running', Status: 'Up 2 hours (unhealthy)' },
  { Id: id('d'), Names: ['/db'], Image: 'postgres:17', State: 'running', Status: 'Up 41 days' },
];
const DETAILS: Record<string, object> = {
  a: {
    RestartCount: 9,
    State: { OOMKilled: false, ExitCode: 137, StartedAt: '2026-11-27T20:57:30Z', FinishedAt: '2026-11-27T20:57:40Z' },
  },
  b: {
    RestartCount: 3,
    State: { OOMKilled: true, ExitCode: 137, StartedAt: '2026-11-27T20:00:00Z', FinishedAt: '2026-11-27T20:40:00Z' },
  },
  c: {
    RestartCount: 0,
    State: { OOMKilled: false, ExitCode: 0, StartedAt: '2026-11-27T18:58:00Z', FinishedAt: '0001-01-01T00:00:00Z' },
  },
};
const seconds = (iso: string): number => Date.parse(iso) / 1000;

/** A runtime with the list above; counts the requests by path. */
async function docker(change: { list?: unknown } = {}) {
  const list: unknown = change.list ?? LIST;
  const asked: string[] = [];
  const served = { list, failing: false, silent: false };
  const socket = await runtimeSocket((path, response) => {
    asked.push(path);
    if (served.silent) return;
    if (served.failing) sendJson(response, { message: 'no' }, 500);
    else if (path.startsWith('/containers/json?')) sendJson(response, served.list);
    else {
      const detail = DETAILS[path.split('/')[2]?.[0] ?? ''];
      sendJson(response, detail ?? { message: 'No such container' }, detail ? 200 : 404);
    }
  });
  return { socket, asked, served };
}

describe('a container runtime', () => {
  it('gives name, image, project, state, time, exit code and restarts of each container', async () => {
    const { socket, asked } = await docker();
    const { containers, problem } = await containerRuntime(socket, unixRequest).read();
    expect(problem).toBeNull();
    expect(containers).toEqual([
      {
        id: id('a'),
        name: 'checkout-web',
        image: 'shop/web:4.18.2',
        project: 'shop',
        state: 'restarting',
        since: seconds('2026-11-27T20:57:40Z'),
        exit_code: 137,
        oom_killed: false,
        restarts: 9,
      },
      {
        id: id('b'),
        name: 'etl',
        image: 'etl',
        project: null,
        state: 'exited',
        since: seconds('2026-11-27T20:40:00Z'),
        exit_code: 137,
        oom_killed: true,
        restarts: 3,
      },
      {
        id: id('c'),
        name: 'api',
        image: 'api',
        project: null,
        state: 'unhealthy',
        since: seconds('2026-11-27T18:58:00Z'),
        exit_code: null,
        oom_killed: false,
        restarts: 0,
      },
      // Its inspection fails: the list has the rest.
      {
        id: id('d'),
        name: 'db',
        image: 'postgres:17',
        project: null,
        state: 'running',
        since: null,
        exit_code: null,
        restarts: null,
      },
    ]);
    expect(asked[0]).toBe('/containers/json?all=true&limit=200');
  });

  it('inspects a container again when its state changes or it restarts, not at every reading', async () => {
    const { socket, asked, served } = await docker({ list: [LIST[0], LIST[2]] });
    const runtime = containerRuntime(socket, unixRequest);
    await runtime.read();
    asked.length = 0;
    await runtime.read();
    expect(asked.slice(1)).toEqual([`/containers/${id('a')}/json`]);
    served.list = [{ ...LIST[2], Status: 'Up 2 hours', State: 'running' }];
    asked.length = 0;
    await runtime.read();
    expect(asked.slice(1)).toEqual([`/containers/${id('c')}/json`]);
  });

  it('inspects at most 20 containers at one reading, the restarting ones first', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      ...LIST[3],
      Id: index.toString(16).padStart(64, 'c'),
      ...(index === 59 && { State: 'restarting' }),
    }));
    const { socket, asked } = await docker({ list: many });
    const { containers } = await containerRuntime(socket, unixRequest).read();
    expect(containers).toHaveLength(60);
    expect(asked.slice(1)).toHaveLength(20);
    expect(asked[1]).toContain((59).toString(16).padStart(64, 'c'));
  });

  it('takes at most the limit of the list, whatever the runtime sends', async () => {
    const many = Array.from({ length: 700 }, (_, index) => ({ ...LIST[3], Id: index.toString(16).padStart(64, '0') }));
    const { socket } = await docker({ list: many });
    expect((await containerRuntime(socket, unixRequest).read()).containers).toHaveLength(200);
  });

  it.each([
    ['an object', {}, 'no list'],
    ['null', null, 'no list'],
    ['a number', 7, 'no list'],
  ])('says that %s is no list', async (_, list, words) => {
    const { socket, served } = await docker();
    served.list = list;
    expect(await containerRuntime(socket, unixRequest).read()).toEqual({
      containers: [],
      problem: expect.stringContaining(words),
    });
  });

  it('keeps the good entries of a list with bad ones', async () => {
    const { socket } = await docker({
      list: [null, 7, { Id: '../etc' }, { Id: id('d'), Names: 'x', Image: 5, State: [], Labels: 'a' }, LIST[3]],
    });
    const { containers } = await containerRuntime(socket, unixRequest).read();
    expect(containers.map(({ name, image, state }) => [name, image, state])).toEqual([
      [null, null, undefined],
      ['db', 'postgres:17', 'running'],
    ]);
  });

  it('leaves a runtime that fails alone for 1, 2, 4 and at most 8 readings, and comes back', async () => {
    const { socket, asked, served } = await docker({ list: [LIST[3]] });
    const runtime = containerRuntime(socket, unixRequest);
    await runtime.read();
    served.failing = true;
    asked.length = 0;
    const tried: number[] = [];
    for (let reading = 0; reading < 34; reading += 1) {
      const before = asked.length;
      const { containers, problem } = await runtime.read();
      expect(problem).toContain('status 500');
      // The names of the last good reading stay.
      expect(containers).toHaveLength(1);
      if (asked.length > before) tried.push(reading);
    }
    expect(tried).toEqual([0, 2, 5, 10, 19, 28]);
    served.failing = false;
    let problem: string | null = '';
    for (let reading = 0; reading < 9 && problem !== null; reading += 1) ({ problem } = await runtime.read());
    expect(problem).toBeNull();
  });

  it('spends no more than its time on a runtime that never answers', async () => {
    const { socket, served } = await docker();
    served.silent = true;
    const limits: number[] = [];
    const runtime = containerRuntime(socket, (path, url, limit) => {
      limits.push(limit.timeoutMs);
      return unixRequest(path, url, { ...limit, timeoutMs: 30 });
    });
    expect(await runtime.read()).toEqual({ containers: [], problem: `${socket}: no answer within 30 ms` });
    expect(limits).toEqual([1500]);
  });

  it('gives the list when the inspections take too long, and stops inspecting', async () => {
    let clock = 0;
    const paths: string[] = [];
    const runtime = containerRuntime(
      '/run/docker.sock',
      async (_, path) => {
        paths.push(path);
        clock += 800;
        if (path.includes('limit=')) return { status: 200, text: JSON.stringify(LIST) };
        throw new Error('no answer');
      },
      () => clock,
    );
    const { containers, problem } = await runtime.read();
    expect([containers.length, problem]).toEqual([4, null]);
    expect(paths).toHaveLength(2);
  });
});

describe('a request to a Unix socket', () => {
  it('ends a body above its limit', async () => {
    const socket = await runtimeSocket((_, response) => {
      response.end('x'.repeat(100_000));
    });
    await expect(unixRequest(socket, '/', { timeoutMs: 5000, bytes: 1000 })).rejects.toThrow(
      'an answer of more than 1000 bytes',
    );
  });

  it('ends an answer that comes byte by byte and never ends', async () => {
    const socket = await runtimeSocket((_, response) => {
      response.writeHead(200);
      response.write('[');
    });
    await expect(unixRequest(socket, '/', { timeoutMs: 50, bytes: 1000 })).rejects.toThrow('no answer within 50 ms');
  });

  it('names a socket that is not there', async () => {
    await expect(unixRequest('/nowhere.sock', '/', { timeoutMs: 500, bytes: 10 })).rejects.toThrow('not there');
  });
});
