import { capture } from '../cluster/shell.ts';
import type { ProductImage } from './images.ts';

const SOURCE_URL = /^(?:https:\/\/|git@)([^/:]+)[/:](.+?)(?:\.git)?$/;

/** Returns the web address of the clone's origin; null where it has none or where that is a folder. */
export function sourceOf(remote: string): string | null {
  const [, host, path] = SOURCE_URL.exec(remote.trim()) ?? [];
  return host === undefined || path === undefined ? null : `https://${host}/${path}`;
}

interface Origin {
  revision: string;
  /** When the revision was committed, so that the same sources give the same labels. */
  created: string;
  source: string | null;
}

const read = (root: string, args: string[]): string => {
  try {
    return capture('git', args, { cwd: root }).trim();
  } catch {
    return '';
  }
};

/** Returns what git says about the sources; empty texts outside a clone. */
export const originOf = (root: string): Origin => ({
  revision: read(root, ['rev-parse', 'HEAD']),
  created: read(root, ['log', '-1', '--format=%cI']),
  source: sourceOf(read(root, ['remote', 'get-url', 'origin'])),
});

/** Returns the labels of the OCI image specification. */
export function labelsOf(image: ProductImage, version: string, origin: Origin): Record<string, string> {
  const all = {
    title: image.name,
    description: image.description,
    version,
    licenses: 'Apache-2.0',
    revision: origin.revision,
    created: origin.created,
    source: origin.source ?? '',
  };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [`org.opencontainers.image.${name}`, value]),
  );
}
