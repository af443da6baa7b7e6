import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** First versions without a known hole, and the advisory that names it. An older copy must not come back with a package. */
const FLOORS: Readonly<Record<string, readonly [version: string, advisory: string]>> = {
  '@babel/runtime': ['7.26.10', 'CVE-2025-27789'],
  cookie: ['0.7.0', 'CVE-2024-47764'],
  'cross-spawn': ['7.0.5', 'CVE-2024-21538'],
  'form-data': ['4.0.4', 'CVE-2025-7783'],
  hono: ['4.9.7', 'CVE-2025-59139'],
  jose: ['4.15.5', 'CVE-2024-28176'],
  'js-yaml': ['4.1.1', 'CVE-2025-64718'],
  'jsonpath-plus': ['10.3.0', 'CVE-2025-1302'],
  'mdast-util-to-hast': ['13.2.1', 'CVE-2025-66400'],
  nodemailer: ['7.0.7', 'CVE-2025-13033'],
  'path-to-regexp': ['8.0.0', 'CVE-2024-45296'],
  'react-router': ['7.5.2', 'CVE-2025-43864'],
  send: ['0.19.0', 'CVE-2024-43799'],
  undici: ['7.2.3', 'CVE-2025-22150'],
  ws: ['8.17.1', 'CVE-2024-37890'],
};

interface Lock {
  packages: Record<string, { version?: string }>;
}
const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as Lock;
const versionsOf = (name: string): string[] =>
  Object.entries(packages).flatMap(([path, { version }]) =>
    version !== undefined && path.endsWith(`node_modules/${name}`) ? [version] : [],
  );

test.each(Object.entries(FLOORS))('every copy of %s is at or above %s', (name, [floor]) => {
  const versions = versionsOf(name);
  expect(versions, `${name} is no longer installed: remove its floor`).not.toEqual([]);
  expect(versions.filter((version) => version.localeCompare(floor, 'en', { numeric: true }) < 0)).toEqual([]);
});
