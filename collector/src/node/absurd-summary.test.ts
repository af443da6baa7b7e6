import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportItem } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kubeletSource } from './kubelet-source.ts';
import type { Summary } from './summary.ts';

type Tree = Record<string, unknown>;
const captured = (): Summary =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../fixtures/kubernetes/stats-summary.json'), 'utf8'),
  ) as Summary;

/** The item that the node agent sends for two answers of its kubelet, as the API parses it. */
async function reportOf(...answers: (Summary | null)[]) {
  const left = [...answers];
  const source = kubeletSource({
    nodeName: 'node-1',
    mode: 'kubelet',
    tlsVerified: true,
    read: () => Promise.resolve(left.shift() as Summary),
    serviceAccount: () => null,
    cores: 4,
  });
  let part = {};
  for (let index = 0; index < answers.length; index += 1)
    ({ part } = await source.read({ ts: 1_790_000_000 + 60 * index, up: 100 }));
  return reportItem.parse({ seq: 1, ts: 1, up: 1, kind: 'host', window_seconds: 60, ...part });
}

/** Every place of a tree, by its path. */
const placesOf = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, child]) => placesOf(child, [...path, key]))]
    : [path];
function withValue(tree: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(tree) ? [...tree] : { ...(tree as Tree) }) as Tree;
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}
const garbage = fc.oneof(
  fc.constantFrom(-1, 1.5, 2 ** 53, 2 ** 63, 1e300, NaN, Infinity, null, undefined, '', 'é', 'x'.repeat(3000), {}, []),
  fc.jsonValue(),
);

describe('an absurd answer of the kubelet', () => {
  it('leaves a volume without a limit, as EFS, with its use', async () => {
    const summary = captured();
    const efs = {
      pvcRef: { name: 'efs', namespace: 'shop' },
      usedBytes: 6144,
      capacityBytes: 9_223_372_036_853_727_232,
    };
    const [pod] = summary.pods ?? [];
    Object.assign(pod ?? {}, { volume: [efs] });
    const { kubernetes } = await reportOf(summary);
    expect(kubernetes?.volumes).toMatchObject([{ claim: 'efs', used_bytes: 6144, capacity_bytes: null }]);
    expect(kubernetes?.kubelet).not.toHaveProperty('left_out');
  });

  it('is noted by the name of the figure', async () => {
    const summary = captured();
    Object.assign(summary.node?.fs ?? {}, { usedBytes: -1 });
    Object.assign(summary.pods?.[0]?.podRef ?? {}, { name: 'x'.repeat(254) });
    const { kubernetes } = await reportOf(summary);
    expect(kubernetes?.kubelet.left_out).toEqual([
      'node: fs.usedBytes: is out of range',
      'pods: an entry without a valid podRef',
    ]);
    expect(kubernetes?.pods).toHaveLength((summary.pods?.length ?? 0) - 1);
    expect(kubernetes?.node?.filesystem_used_bytes).toBeNull();
  });

  it.each([[null], [{}], [{ pods: {} }], [{ node: 'x', pods: [null, 5] }]])('%j gives a report', async (summary) => {
    expect((await reportOf(summary as Summary | null)).kubernetes?.kubelet.state).toBe('ok');
  });

  it('in one place never costs the other pods', async () => {
    const summary = captured();
    const most = summary.pods?.length ?? 0;
    const places = placesOf(summary).filter(([top]) => top !== undefined);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), garbage, async (path, value) => {
        const { kubernetes } = await reportOf(captured(), withValue(captured(), path, value) as Summary);
        expect(kubernetes?.kubelet.state).toBe('ok');
        expect(kubernetes?.pods.length).toBeGreaterThanOrEqual(path.length === 1 && path[0] === 'pods' ? 0 : most - 1);
      }),
      { numRuns: 300 },
    );
  });
});
