import { expect, it } from 'vitest';
import { faviconUrl } from './favicon.ts';

const drawn = (count: number) => decodeURIComponent(faviconUrl(count));

it('is the plain mark while nothing is wrong', () => expect(faviconUrl(0)).toBe('/favicon.svg'));

it('carries the number of active alerts, two letters at most', () => {
  expect(drawn(3)).toContain('>3</text>');
  expect(drawn(9)).toContain('>9</text>');
  expect(drawn(120)).toContain('>9+</text>');
  expect(faviconUrl(3)).toMatch(/^data:image\/svg\+xml,%3Csvg/);
});
