import { expect, test } from 'vitest';
import { collectorRuntime, readShipped } from './collector-runtime.ts';

const SETTING = /\b((?:BUN|MIMALLOC)_\w+)=(\S+)/g;
const PROPERTY = /<key>((?:BUN|MIMALLOC)_\w+)<\/key>\s*<string>(.*)<\/string>/g;
const pairs = (text: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name = '', value = '']) => [name, value]));

test('the unit turns the JIT off, by which the program needs no writable code', () => {
  expect(collectorRuntime()).toMatchObject({ BUN_JSC_useJIT: '0' });
});

test.each([
  ['collector/Dockerfile', SETTING],
  ['collector/units/app.plimsoll.collector.plist', PROPERTY],
])('%s names the same settings as the unit', (file, pattern) => {
  expect(pairs(readShipped(file), pattern)).toEqual(collectorRuntime());
});

test('neither the chart nor a measurement names one of its own', () => {
  for (const file of [
    'charts/plimsoll/templates/node-agent/daemonset.yaml',
    'scripts/lab/bench/agent/candidates.ts',
    'scripts/lab/bench/cluster/node-agent.ts',
  ])
    expect(readShipped(file)).not.toMatch(/\b(?:BUN_JSC|BUN_GC|MIMALLOC)_/);
});

test('a unit without them is an error', () => {
  expect(() => collectorRuntime('[Service]\nEnvironment=PLIMSOLL_URL=x\n')).toThrow('names no settings');
});
