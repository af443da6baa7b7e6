import { expect, it } from 'vitest';
import { generationsOf } from './bench-loads.ts';

const asked = (begin: number, end: number) => ({ begin, end, bytes: 1 });

it('counts the requests that waited for another, along the longest chain', () => {
  expect(generationsOf([])).toBe(0);
  expect(generationsOf([asked(0, 10), asked(5, 20), asked(6, 30)])).toBe(1);
  // Document, script, call; beside them a font that began with the script.
  expect(generationsOf([asked(30, 40), asked(0, 10), asked(10, 30), asked(12, 50)])).toBe(3);
});
