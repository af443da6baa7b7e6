import { errorText } from '@plimsoll/contract/rules/error-text';
import { countedMounts, mergeFilesystems, type Mount } from '@plimsoll/contract/rules/machines/filesystems';
import type { Exec } from '../runtime/exec.ts';
import type { Files } from '../runtime/files.ts';
import type { StatSpace } from './filesystem-space.ts';
import type { Source } from '../source.ts';
import { measureFilesystems } from './filesystem.ts';

/** The sealed system volume shares its container with this one, which is what fills up. */
const DATA = '/System/Volumes/Data';

/** `mount` is run once in so many readings and after a change below /Volumes, because it costs a child process. */
const MOUNT_EVERY = 60;

/** Space of each local volume that can be written; the volumes of one APFS container are one entry. */
export function filesystemSourceDarwin(files: Files, statSpace: StatSpace, exec: Exec): Source {
  let known: { volumes: string; mounts: Mount[] } | null = null;
  let readings = 0;
  return {
    name: 'filesystem',
    instant: true,
    read: async () => {
      const volumes = files.list('Volumes').join('\n');
      const notes: string[] = [];
      const isDue = readings % MOUNT_EVERY === 0;
      readings += 1;
      if (isDue || known?.volumes !== volumes) known = { volumes, mounts: await readMounts(exec, files, notes) };
      const { mounts } = known;
      if (notes.length > 0) known = null;
      const { part, failed } = await measureFilesystems(mounts, statSpace);
      notes.push(...failed);
      if (part.length === 0) throw new Error(notes.join('; ') || 'no volume found');
      return { part: { filesystems: mergeFilesystems(part) }, ...(notes.length > 0 ? { note: notes.join('; ') } : {}) };
    },
  };
}

/** Without an answer of `mount` only the start volume is known to be local. */
async function readMounts(exec: Exec, files: Files, notes: string[]): Promise<Mount[]> {
  try {
    return countedMounts(parseMountOutput(await exec('mount', [])));
  } catch (error) {
    notes.push(`${errorText(error)}: only the start volume is listed`);
    const mount = files.stat(DATA.slice(1)) ? DATA : '/';
    return [{ device: mount, mount, type: 'apfs' }];
  }
}

/**
 * Output of mount(8): "/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled)". What is not "local" comes over
 * the network. The kernel does not record why a volume is read-only: disk images are mounted so.
 */
export function parseMountOutput(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [on, open] = [line.indexOf(' on '), line.lastIndexOf(' (')];
    if (on === -1 || open < on || !line.endsWith(')')) return [];
    const [type = '', ...options] = line.slice(open + 2, -1).split(', ');
    if (!options.includes('local')) return [];
    const mount = line.slice(on + 4, open);
    return [{ device: line.slice(0, on), mount, type, isReadOnly: options.includes('read-only') }];
  });
}
