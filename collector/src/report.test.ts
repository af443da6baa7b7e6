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
