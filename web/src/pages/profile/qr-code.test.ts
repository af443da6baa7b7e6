import { expect, it } from 'vitest';
import { qrPath } from './qr-code.tsx';

it('draws runs of dark modules', () => {
  expect(
    qrPath([
      [true, true, false],
      [false, false, false],
      [true, false, true],
    ]),
  ).toBe('M0 0h2v1H0zM0 2h1v1H0zM2 2h1v1H2z');
});
