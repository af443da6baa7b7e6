import { expect, it } from 'vitest';
import { titleText } from './tab-title.ts';

it.each([
  ['Servers', 0, 'Servers · Plimsoll'],
  ['Servers', 5, '(5) Servers · Plimsoll'],
  ['', 120, '(99+) Plimsoll'],
])('%s with %d unread', (page, unread, title) => expect(titleText(page, unread)).toBe(title));
