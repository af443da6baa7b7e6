import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import type { Exec } from '../../runtime/exec.ts';
import type { Files } from '../../runtime/files.ts';
import type { Source } from '../../source.ts';
import { journalSource, mayReadJournal } from '../journal/journal.ts';
import { clockSource } from './clock-synchronized.ts';
import { conntrackSource } from './conntrack.ts';
import { openFilesSource } from './open-files.ts';
import { fanSource } from './fans.ts';
import { gpuSource } from './gpu.ts';
import { poolSource } from './pools.ts';
import { powerSource } from './power.ts';
import { raidSource } from './raid.ts';
import { smartSource } from './smart.ts';
import { updateSource } from './updates.ts';

/** Sources that root opened to the collector. */
export interface HardwareSettings {
  /** The child `smartctl`. */
  smart?: boolean;
  /** The child `nvidia-smi`. */
  gpu?: boolean;
  /** The child `zpool`. */
  zpool?: boolean;
}

/**
 * Returns the sources of the hardware of a Linux host, of the limits of its kernel, and of its journal where root opened
 * it. `filesystems`: those of the same reading.
 */
export function hardwareSources(
  files: Files,
  exec: Exec,
  settings: HardwareSettings,
  sharesKernel: boolean,
  filesystems: () => readonly FilesystemPart[],
): Source[] {
  const ofHost = [
    raidSource(files),
    poolSource({ files, exec, asksZpool: settings.zpool === true, filesystems }),
    fanSource(files),
    powerSource(files, exec),
    smartSource(files, exec, settings.smart === true),
    gpuSource(files, exec, settings.gpu === true),
    conntrackSource(files),
    openFilesSource(files),
    clockSource(files, exec),
  ];
  return [
    ...(sharesKernel ? ofHost.map(unread) : ofHost),
    updateSource(files, sharesKernel),
    ...(mayReadJournal(files) ? [journalSource(files, exec)] : []),
  ];
}

/** A container sees hardware and kernel of its host, not its own. The name stays one that a setting can disable. */
const unread = ({ name }: Source): Source => ({ name, instant: true, read: async () => ({ part: {} }) });
