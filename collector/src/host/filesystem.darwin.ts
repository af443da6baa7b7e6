import type { Files } from '../runtime/files.ts';
import type { StatSpace } from './filesystem-space.ts';
import type { Source } from '../source.ts';
import { shapeFilesystem } from './filesystem.ts';

/** The sealed system volume shares its container with this one, which is what fills up. */
const DATA = '/System/Volumes/Data';

/** The data volume and what is mounted below /Volumes; a volume that does not answer is named and left out. */
export function filesystemSourceDarwin(files: Files, statSpace: StatSpace): Source {
  return {
    name: 'filesystem',
    instant: true,
    read: async () => {
      const filesystems = [];
      const failed: string[] = [];
      for (const mount of mountsOf(files)) {
        try {
          const space = await statSpace(mount);
          if (space.sizeBytes > 0) filesystems.push(shapeFilesystem({ device: mount, mount, type: 'apfs' }, space));
        } catch (error) {
          failed.push(`${mount}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      if (filesystems.length === 0) throw new Error(failed.join('; ') || 'no volume found');
      return { part: { filesystems }, ...(failed.length > 0 ? { note: failed.join('; ') } : {}) };
    },
  };
}

/** The start volume appears below /Volumes as a link to "/". */
export function mountsOf(files: Files): string[] {
  const first = files.stat(DATA.slice(1)) ? DATA : '/';
  const others = files
    .list('Volumes')
    .filter((name) => !name.startsWith('.') && files.link(`Volumes/${name}`) === null);
  return [first, ...others.map((name) => `/Volumes/${name}`)];
}
