import type { Files } from '../../runtime/files.ts';

/** Options of proc(5) that hide something, with the words of kernels since 5.8 beside the numbers. */
const HIDING = new Set(['1', '2', '4', 'noaccess', 'invisible', 'ptraceable']);

/** Returns a reader of the reason why a list of processes is not complete; null when nothing shows that it is not. */
export function hiddenProcesses(files: Files): () => string | null {
  let options: ReadonlySet<string> | undefined;
  return () => {
    const isHidden = files.optional('proc/1/stat') === null;
    const isSubset = files.stat('proc/uptime') === null && files.optional('proc/uptime') === null;
    if (!isHidden && !isSubset) return null;
    options ??= procOptions(files);
    if (options.has('subset=pid')) return SUBSET;
    return isHidden ? hiddenBy(options) : null;
  };
}

const SUBSET =
  '/proc is mounted with subset=pid: figures of the machine are missing. Mount it without subset=pid (ProcSubset=all in a unit of systemd)';

function hiddenBy(options: ReadonlySet<string>): string | null {
  const option = [...options].find((one) => one.startsWith('hidepid=') && HIDING.has(one.slice('hidepid='.length)));
  if (option === undefined) return null;
  return `/proc hides the processes of other users (${option}): the list has only those of the collector’s user. Mount /proc with gid=GROUP and add the user to that group, or with hidepid=0`;
}

/** The last mount on a place covers the others. */
function procOptions(files: Files): Set<string> {
  const mountinfo = files.optional('proc/self/mountinfo');
  if (mountinfo !== null) return parseMountinfo(mountinfo);
  const words = lastMount(files.optional('proc/mounts') ?? '', 1);
  return new Set((words[3] ?? '').split(','));
}

/** Text of mountinfo: options of the mount in column six, of the file system at the end. */
export function parseMountinfo(mountinfo: string): Set<string> {
  const words = lastMount(mountinfo, 4);
  return new Set([...(words[5] ?? '').split(','), ...(words.at(-1) ?? '').split(',')]);
}

const lastMount = (text: string, column: number): string[] =>
  text
    .split('\n')
    .map((line) => line.split(' '))
    .findLast((words) => words[column] === '/proc') ?? [];
