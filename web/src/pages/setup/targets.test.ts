import { expect, it } from 'vitest';
import { missingKits } from './targets.ts';

it('finds the architectures of a tab that have no kit', () => {
  expect(missingKits('linux', ['linux-x64', 'linux-arm64'])).toEqual({ names: [], all: false });
  expect(missingKits('linux', ['linux-x64', 'darwin-arm64'])).toEqual({ names: ['ARM64'], all: false });
  expect(missingKits('macos', ['linux-x64'])).toEqual({ names: ['AMD64', 'ARM64'], all: true });
  expect(missingKits('kubernetes', [])).toEqual({ names: [], all: false });
});
