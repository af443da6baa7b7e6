import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../collector/src/version.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Returns the version that each source names. */
export function namedVersions(): Record<string, string> {
  const chart = read('charts/plimsoll/Chart.yaml');
  const field = (name: string) => new RegExp(`^${name}: (\\S+)$`, 'm').exec(chart)?.[1] ?? '';
  return {
    'package.json': (JSON.parse(read('package.json')) as { version: string }).version,
    'collector/src/version.ts': VERSION,
    'Chart.yaml version': field('version'),
    'Chart.yaml appVersion': field('appVersion'),
  };
}

/** Returns the version of a tag like v1.2.3. Throws naming each source that has another one. */
export function releasedVersion(tag: string, named: Record<string, string> = namedVersions()): string {
  const version = /^v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?)$/.exec(tag)?.[1];
  if (version === undefined) throw new Error(`tag ${tag}: must be like v1.2.3 or v1.2.3-rc.1.`);
  const others = Object.entries(named).filter(([, found]) => found !== version);
  if (others.length > 0)
    throw new Error(
      `tag ${tag}: ${others.map(([file, found]) => `${file} says ${found}`).join(', ')}. Make them one, then tag again.`,
    );
  return version;
}
