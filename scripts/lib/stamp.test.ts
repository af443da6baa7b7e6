import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT, stampOf } from './stamp.ts';

test('fresh after it was kept, until a source changes or the product is gone', () => {
  const name = `stamp-test-${randomUUID()}`;
  const [source, product] = [`.cache/${name}.txt`, `.cache/${name}.out`];
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const put = (file: string, text: string) => {
    writeFileSync(join(ROOT, file), text);
  };
  onTestFinished(() => {
    for (const file of [source, product, `.cache/${name}.stamp`]) rmSync(join(ROOT, file), { force: true });
  });
  const fresh = () => stampOf(name, [source], product).isFresh();
  put(source, 'one');
  put(product, 'built');
  expect(fresh()).toBe(false);
  stampOf(name, [source], product).keep();
  expect(fresh()).toBe(true);
  put(source, 'two');
  expect(fresh()).toBe(false);
  put(source, 'one');
  rmSync(join(ROOT, product));
  expect(fresh()).toBe(false);
});
