import { expect, it } from 'vitest';
import type { Fault } from './fault.ts';
import { kills } from './kills.ts';
import { spool } from './spool.ts';
import { upgrade } from './upgrade.ts';

it.each<Fault>([kills, spool, upgrade])('$name: $does, in short', async (fault) => {
  const verdict = await fault.run({ isQuick: true, log: () => undefined });
  console.log(`${fault.name}: ${verdict.figures}`);
  expect(verdict).toEqual({ isHeld: true, figures: verdict.figures });
});
