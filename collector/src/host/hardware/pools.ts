import { errorText } from '@plimsoll/contract/rules/error-text';
import { poolOf } from '@plimsoll/contract/rules/machines/filesystems';
import type { PoolPart } from '@plimsoll/contract/wire/hardware';
import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Exec } from '../../runtime/exec.ts';
import type { Files } from '../../runtime/files.ts';
import type { Source } from '../../source.ts';

const NAME_BYTES = 256;
const ZFS = 'proc/spl/kstat/zfs';
const BTRFS = 'sys/fs/btrfs';

export interface PoolOptions {
  files: Files;
  exec: Exec;
  /** Root allowed the child `zpool`. It has the size of pools that no mount shows. */
  asksZpool: boolean;
  /** Filesystems of the same reading. */
  filesystems: () => readonly FilesystemPart[];
}

/**
 * Reads the state of the pools of ZFS, and what btrfs counted on its devices. A machine without them costs two listings of
 * folders that do not exist.
 */
export function poolSource({ files, exec, asksZpool, filesystems }: PoolOptions): Source {
  return {
    name: 'pools',
    instant: true,
    read: async () => {
      const zfs = files.list(ZFS).flatMap((name) => readZfs(files, name, filesystems()));
      const btrfs = files.list(BTRFS).flatMap((uuid) => readBtrfs(files, uuid, filesystems()));
      if (zfs.length + btrfs.length === 0) return { part: {} };
      if (!asksZpool || zfs.length === 0) return { part: { pools: [...zfs, ...btrfs] } };
      try {
        const listed = parseZpoolList(await exec('zpool', ['list', '-Hp', '-o', 'name,size,alloc,health']));
        return { part: { pools: [...zfs.map((pool) => ({ ...pool, ...listed.get(pool.name) })), ...btrfs] } };
      } catch (error) {
        const note = errorText(error);
        return { part: { pools: [...zfs, ...btrfs] }, note };
      }
    },
  };
}

const UNKNOWN = { devices: null, devices_missing: null, errors: null, errors_at: null } as const;

/** The kernel has one folder for each imported pool (module/zfs/spa_stats.c); versions before 0.8 have no state in it. */
function readZfs(files: Files, name: string, filesystems: readonly FilesystemPart[]): PoolPart[] {
  const state = files.optional(`${ZFS}/${name}/state`)?.trim().toLowerCase();
  if (state === undefined || state === '') return [];
  const whole = filesystems.find(
    ({ type, device, part_of: above }) => type === 'zfs' && above === undefined && poolOf(device) === name,
  );
  return [
    { name: cutToBytes(name, NAME_BYTES), type: 'zfs', state: cutToBytes(state, 32), ...sizesOf(whole), ...UNKNOWN },
  ];
}

const sizesOf = (one: FilesystemPart | undefined): Pick<PoolPart, 'size_bytes' | 'used_bytes'> => ({
  size_bytes: one?.size_bytes ?? null,
  used_bytes: one?.used_bytes ?? null,
});

type Listed = Pick<PoolPart, 'size_bytes' | 'used_bytes' | 'state'>;

/** Parses `zpool list -Hp -o name,size,alloc,health`: one line for each pool, tabs between exact numbers. */
export function parseZpoolList(text: string): Map<string, Listed> {
  const pools = new Map<string, Listed>();
  for (const line of text.split('\n')) {
    const [name = '', size = '', used = '', health = ''] = line.split('\t');
    if (name === '' || health === '') continue;
    pools.set(name, { size_bytes: whole(size), used_bytes: whole(used), state: cutToBytes(health.toLowerCase(), 32) });
  }
  return pools;
}

/** A pool that is suspended has "-". */
const whole = (text: string): number | null =>
  /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;

/** Folders beside those of filesystems: "features", "debug". */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const IN_WORDS: Readonly<Record<string, string>> = {
  read_errs: 'read',
  write_errs: 'write',
  flush_errs: 'flush',
  corruption_errs: 'corruption',
  generation_errs: 'generation',
};

/** Kernels since 5.14 count errors in devinfo; older ones need a call that only root may make. */
function readBtrfs(files: Files, uuid: string, filesystems: readonly FilesystemPart[]): PoolPart[] {
  if (!UUID.test(uuid)) return [];
  const at = `${BTRFS}/${uuid}`;
  const blocks = files.list(`${at}/devices`);
  const ids = files.list(`${at}/devinfo`);
  const devices = new Set(blocks.map((block) => deviceOf(files, block)));
  const mounted = filesystems.find(({ type, device }) => type === 'btrfs' && devices.has(device));
  const label = files.optional(`${at}/label`)?.trim() ?? '';
  const missing = ids.filter((id) => files.optional(`${at}/devinfo/${id}/missing`)?.trim() === '1').length;
  const counted = ids.flatMap((id) => countErrors(files.optional(`${at}/devinfo/${id}/error_stats`), id));
  const faulty = counted.filter(({ sum }) => sum > 0);
  const isOnlyDevice = blocks.length === 1 && ids.length === 1;
  return [
    {
      name: cutToBytes(label || mounted?.mount || uuid, NAME_BYTES),
      type: 'btrfs',
      state: missing > 0 ? 'degraded' : 'online',
      ...sizesOf(mounted),
      devices: ids.length > 0 ? ids.length : blocks.length || null,
      devices_missing: ids.length > 0 ? missing : null,
      errors: counted.length === 0 ? null : counted.reduce((sum, one) => sum + one.sum, 0),
      errors_at:
        faulty.length === 0
          ? null
          : cutToBytes(
              faulty
                .map(({ id, words }) => `${isOnlyDevice ? (blocks[0] ?? id) : `device ${id}`}: ${words}`)
                .join('; '),
              NAME_BYTES,
            ),
    },
  ];
}

/** The name that a mount has for a block device. */
function deviceOf(files: Files, block: string): string {
  const mapped = block.startsWith('dm-') ? files.optional(`sys/class/block/${block}/dm/name`)?.trim() : undefined;
  return mapped === undefined ? `/dev/${block}` : `/dev/mapper/${mapped}`;
}

/** Lines "write_errs 0". */
function countErrors(text: string | null, id: string): { id: string; sum: number; words: string }[] {
  if (text === null) return [];
  const counts = text.split('\n').flatMap((line): [string, number][] => {
    const [, name = '', value = ''] = /^([a-z_]+) (\d{1,15})$/.exec(line) ?? [];
    const word = Object.hasOwn(IN_WORDS, name) ? IN_WORDS[name] : undefined;
    return word === undefined ? [] : [[word, Number(value)]];
  });
  if (counts.length === 0) return [];
  const words = counts.flatMap(([word, value]) => (value > 0 ? [`${String(value)} ${word}`] : []));
  return [{ id, sum: counts.reduce((sum, [, value]) => sum + value, 0), words: words.join(', ') }];
}
