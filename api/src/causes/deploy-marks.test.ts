import { expect, it } from 'vitest';
import { isNamedIn } from './deploy-marks.ts';

it.each<[title: string, names: string[]]>([
  ['checkout 1.9.2', ['checkout']],
  ['Deploy checkout to production', ['the checkout page', 'shop.example.com']],
  ['release: shop-front v12', ['https://shop.example.com/']],
  ['billing-api 2026.11', ['billing.service']],
  ['web 2.1', ['web.example.com']],
  ['api v3', ['API']],
])('%s names one of %j', (title, names) => {
  expect(isNamedIn(title, names)).toBe(true);
});

it.each<[title: string, names: string[]]>([
  ['checkout 1.9.2', ['billing', 'web-1']],
  ['billing api 2', ['payments api']],
  ['Deploy to production', ['production.example.com']],
  ['v1.9.2', ['v1', '']],
  ['', ['']],
  ['web worker 2', ['web']],
])('%s names none of %j', (title, names) => {
  expect(isNamedIn(title, names)).toBe(false);
});
