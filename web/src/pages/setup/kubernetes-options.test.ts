import { expect, it } from 'vitest';
import { registryOrNull } from './kubernetes-options.tsx';

it.each(['registry.example.com/team', 'localhost:5000', 'ghcr.io/an-owner', ' registry.example.com/team/ '])(
  'takes the registry %j',
  (text) => {
    expect(registryOrNull(text)).toBe(text.trim().replace(/\/$/, ''));
  },
);
it.each(['', 'https://registry.example.com', 'registry.example.com/Team', 'a b', '<registry>'])(
  'refuses the registry %j',
  (text) => {
    expect(registryOrNull(text)).toBeNull();
  },
);
