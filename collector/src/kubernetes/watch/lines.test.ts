import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLines } from './lines.ts';

async function* stream(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}
async function linesOf(chunks: readonly Buffer[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(stream(chunks))) lines.push(line);
  return lines;
}

it('gives the lines of a stream wherever it is cut, also within a character', async () => {
  const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }).map((line) => line.replaceAll('\n', ' ')));
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(80), { maxLength: 6 }), async (lines, cuts) => {
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      expect(await linesOf(chunks)).toEqual(lines.filter((line) => line !== ''));
    }),
    { numRuns: 60 },
  );
});

it('what follows the last line break comes last, so that a cut shows', async () => {
  expect(await linesOf([Buffer.from('{"a":1}\n{"b"')])).toEqual(['{"a":1}', '{"b"']);
  expect(await linesOf([])).toEqual([]);
});
