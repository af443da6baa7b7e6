import { expect, it } from 'vitest';
import { faviconUrl, titleText } from './tab-title.ts';

it.each([
  ['Servers', 0, 'Servers · Plimsoll'],
  ['Servers', 5, '(5) Servers · Plimsoll'],
  ['', 120, '(99+) Plimsoll'],
])('%s with %d unread', (page, unread, title) => expect(titleText(page, unread)).toBe(title));

const drawn = (count: number) => decodeURIComponent(faviconUrl(count));

it('the mark in the tab is plain while nothing is wrong', () => expect(faviconUrl(0)).toBe('/favicon.svg'));

it('the mark in the tab carries the number of active alerts, two letters at most', () => {
  expect(drawn(3)).toContain('>3</text>');
  expect(drawn(9)).toContain('>9</text>');
  expect(drawn(120)).toContain('>9+</text>');
  expect(faviconUrl(3)).toMatch(/^data:image\/svg\+xml,%3Csvg/);
});
