import { expect, it } from 'vitest';
import { collect, prime } from './report.ts';
import type { Source } from './source.ts';

const NOW = { ts: 1000, up: 50 };
const steady = (() => {
  let now = 0;
  return () => (now += 2);
})();
const load: Source = {
  name: 'load',
  read: async () => ({ part: { load: { one: 1, five: 2, fifteen: 3 } }, note: 'thin' }),
};
const broken: Source = {
  name: 'cpu',
  read: async () => {
    throw new Error('/proc/stat has no "cpu" line');
  },
};

it('keeps the parts that could be read, and says what became of each source', async () => {
  expect(await collect([broken, load], NOW, 60, steady)).toEqual({
    report: { ts: 1000, up: 50, kind: 'host', window_seconds: 60, load: { one: 1, five: 2, fifteen: 3 } },
    sources: {
      cpu: { ok: false, duration_ms: 2, error: '/proc/stat has no "cpu" line' },
      load: { ok: true, duration_ms: 2, error: 'thin' },
    },
  });
});

it('takes secrets out of every text but identifiers, and leaves harmless ones', async () => {
  const part = {
    containers: [
      {
        id: 'pw=id',
        name: 'cache --token abc9',
        image: 'https://bob:abc9@registry.example/redis:7',
        runtime: 'docker',
        cpu_percent: null,
        memory_bytes: null,
        memory_limit_bytes: null,
      },
    ],
    units: [{ name: 'backup@token=abc9.service', state: 'failed', sub_state: null, restarts: null }],
  };
  const leaky: Source = { name: 'containers', read: async () => ({ part, note: 'GET http://u:abc9@h/ failed' }) };
  const { report, sources } = await collect([leaky, load], NOW, 60, steady);
  expect(JSON.stringify([report, sources])).not.toContain('abc9');
  expect(report.containers?.[0]).toMatchObject({
    id: 'pw=id',
    image: 'https://bob:[redacted]@registry.example/redis:7',
    runtime: 'docker',
  });
  expect(sources['containers']).toMatchObject({ ok: true, error: 'GET http://u:[redacted]@h/ failed' });
});

it('cuts the text of an endless error', async () => {
  const loud: Source = { name: 'x', read: () => Promise.reject(new Error('x'.repeat(10_000))) };
  const { sources } = await collect([loud], NOW, null, steady);
  expect(sources['x']?.error).toHaveLength(300);
});

it('begins with a reading of what has rates, whatever of it fails, and asks nothing else', async () => {
  const read: string[] = [];
  const told = (name: string, more: Partial<Source> = {}): Source => ({
    name,
    read: async () => {
      read.push(name);
      return { part: {} };
    },
    ...more,
  });
  await prime([broken, told('cpu'), told('connections', { instant: true }), told('network')], NOW);
  expect(read).toEqual(['cpu', 'network']);
});
