import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { bytesQuantity } from '../../format/figures.ts';
import { shareOf } from '../../format/server-facts.ts';

/** The figure and the list come with two calls, between which a disk may have moved by this many points. */
const SAME_POINTS = 1;

/**
 * Describes the filesystem that the disk figure is of, the fullest one: "/var: 91 of 100 GB", without the mount when
 * there is one filesystem. The whole is what df counts, used and available: reserved blocks are neither. Undefined when no
 * filesystem is as full as the figure (per cent) says.
 */
export function fullestText(filesystems: readonly FilesystemPart[], percent: number | null): string | undefined {
  const shares = filesystems.flatMap((filesystem) => {
    const share = shareOf(filesystem.used_bytes, filesystem.available_bytes);
    return share === null ? [] : [{ share, filesystem }];
  });
  const [fullest] = shares.toSorted((a, b) => b.share - a.share);
  if (fullest === undefined || percent === null || Math.abs(fullest.share - percent) > SAME_POINTS) return undefined;
  const { mount, used_bytes: used, available_bytes: available } = fullest.filesystem;
  const [part, whole] = [bytesQuantity(used), bytesQuantity(used + available)];
  const partText = part.unit === whole.unit ? part.value : `${part.value} ${part.unit}`;
  const text = `${partText} of ${whole.value} ${whole.unit}`;
  return filesystems.length === 1 ? text : `${escapeInvisible(mount)}: ${text}`;
}
