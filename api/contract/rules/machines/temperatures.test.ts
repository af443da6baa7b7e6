import { expect, test } from 'vitest';
import { criticalCelsius, plausibleCelsius } from './temperatures.ts';

test.each([0, 127, 127.5, 128, 255, 65_535, -128, -273.15, Number.NaN, null])('%j °C is not measured', (celsius) => {
  expect(plausibleCelsius(celsius)).toBeNull();
});

test.each([-59, -0.5, 0.5, 41, 126.9, 128.5])('%j °C is a temperature', (celsius) => {
  expect(plausibleCelsius(celsius)).toBe(celsius);
});

test.each([0, 1, 20.8, 39.9, 127, 65_261.85, null])('%j °C is no critical limit', (celsius) => {
  expect(criticalCelsius(celsius)).toBeNull();
});

test.each([42, 55, 84.85, 110])('%j °C is a critical limit', (celsius) => {
  expect(criticalCelsius(celsius)).toBe(celsius);
});
