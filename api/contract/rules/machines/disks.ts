/**
 * Chooses the disks of a report by the names of devices, so that each operation is counted once. The collector on Linux
 * reads /sys/block for that and uses names as a last resort.
 */

/** Layers over other devices or files, and memory. An array of md may have a name ("md_home"), and a volume of ACFS has. */
const LAYER = /^(?:(?:loop|zloop|ploop|ram|zram|dm-|md|sr|fd|nbd|ublkb|bcache|drbd|zd|VxDMP|VxVM)\d|md_|asm[/!])/;
/**
 * A disk behind the network, or of a program. Beside disks of the machine it is a layer over one of them or over a file, as
 * qemu-nbd makes.
 */
export const NETWORK_DISK = /^(?:nbd|ublkb)\d+$/;
/**
 * Disks of drivers for several paths to an array (EMC PowerPath, IBM SDD, Hitachi HDLM). They lie on the disks of the
 * paths, like dm-multipath, which are there as well.
 */
const MULTIPATH = /^(?:emcpower|vpath|sddlm)[a-z]+\d*$/;
/**
 * The same on the BSDs (section 4 of their manuals), whose names no disk of Linux has: optical drives, the other names of
 * a SCSI device, memory and files as disks, and layers over disks.
 */
const LAYER_OF_BSD = /^(?:a?cd|pass|ses|xpt|rd|vnd?|ccd|cgd|raid|dk)\d+$/;
/** A name that ends with a digit gets "p" before the number of the partition: sda1, nvme0n1p1, sata1p1. */
const PARTITION = /^(?:(.*\d)p|(.*\D))\d+$/;

/** Returns true for a layer over other devices of Linux. */
export const isDiskLayer = (name: string): boolean => LAYER.test(name) || MULTIPATH.test(name);

/** Returns the whole disks among the devices of a machine. A partition is one whose disk is there too. */
export function wholeDisks(names: readonly string[]): string[] {
  const all = new Set(names);
  return names.filter((name) => {
    if (isDiskLayer(name) || LAYER_OF_BSD.test(name)) return false;
    const [, beforeP, before] = PARTITION.exec(name) ?? [];
    return !all.has(beforeP ?? before ?? '');
  });
}
