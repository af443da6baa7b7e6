import { expect, it } from 'vitest';
import type { Understood } from '../asked.ts';
import type { Term } from '../words.ts';
import { hardware } from './hardware.ts';

const GB = 2 ** 30;
const gpu = (name: string, use: number | null, memory: number, celsius: number) => ({
  hostname: name,
  name,
  use_percent: use,
  memory_used_bytes: memory * GB,
  memory_total_bytes: 24 * GB,
  celsius,
  power_watts: null,
});
const CONTENT = {
  kind: 'gpus',
  servers: 3,
  looked_at: 3,
  reporting: 3,
  total: 3,
  worse: null,
  parts: [gpu('busy', 90, 4, 50), gpu('full', 10, 20, 40), gpu('hot', null, 8, 80)],
};
const orderBy = (...terms: Term[]): string[] => {
  const asked: Understood = {
    subject: 'hardware',
    tool: 'hardware',
    input: { kind: 'gpus' },
    figures: [],
    terms: new Set(terms),
    isCount: false,
    limit: 10,
    threshold: null,
    period: null,
    program: null,
    names: [],
  };
  return [...hardware(CONTENT, asked, 0).matchAll(/^\| (busy|full|hot) /gm)].map(([, name]) => name ?? '');
};

it('puts the GPU first that has most of the figure of the question', () => {
  expect(orderBy('gpu')).toEqual(['busy', 'full', 'hot']);
  expect(orderBy('gpu', 'memory')).toEqual(['full', 'hot', 'busy']);
  expect(orderBy('gpu', 'temperature')).toEqual(['hot', 'busy', 'full']);
});
