import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { gigabytesText, numberText } from '../../format/figures.ts';
import { shareOf } from '../../format/server-facts.ts';

const GIGABYTE = 2 ** 30;
/** The figure and the list come with two calls, between which a disk may have moved by this many points. */
const SAME_POINTS = 1;

/**
 * Describes the filesystem that the disk figure is of, the fullest one: "/var: 91.0 of 100 GB", without the mount when
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
  const whole = (used + available) / GIGABYTE;
  const usedText = whole < 1024 ? numberText(used / GIGABYTE, 1) : gigabytesText(used / GIGABYTE);
  const of = `${String(usedText)} of ${gigabytesText(whole)}`;
  return filesystems.length === 1 ? of : `${escapeInvisible(mount)}: ${of}`;
}
