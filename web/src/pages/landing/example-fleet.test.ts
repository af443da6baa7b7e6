import { expect, it } from 'vitest';
import { EXAMPLE_FLEET, EXAMPLE_LINE, exampleBand, exampleCount } from './example-fleet.ts';

it('says of itself what it is', () => {
  expect(EXAMPLE_FLEET).toHaveLength(48);
  expect([exampleCount('over'), exampleCount('near'), exampleCount('clear')]).toEqual([3, 9, 36]);
  expect(Math.max(...EXAMPLE_FLEET)).toBe(EXAMPLE_FLEET[0]);
});

it('puts a bar that touches the line over it, and 20 points below it near', () => {
  expect(exampleBand(EXAMPLE_LINE)).toBe('over');
  expect(exampleBand(EXAMPLE_LINE - 20)).toBe('near');
  expect(exampleBand(EXAMPLE_LINE - 20.1)).toBe('clear');
});
