import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { inputEnd } from './input-end.ts';

const input = (): NodeJS.ReadStream => new PassThrough() as unknown as NodeJS.ReadStream;

it.each<[string, (stream: NodeJS.ReadStream) => void]>([
  ['ends', (stream) => void (stream as unknown as PassThrough).end('ignored')],
  ['breaks', (stream) => void stream.destroy(new Error('gone'))],
])('aborts once the input %s, and not before', async (_, end) => {
  const stream = input();
  const signal = inputEnd(stream);
  expect(signal.aborted).toBe(false);
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  end(stream);
  await aborted;
  expect(signal.reason).toBe('input ended');
});
