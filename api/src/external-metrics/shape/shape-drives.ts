import { plausibleCelsius } from '@plimsoll/contract/rules/machines/temperatures';
import { ownValue } from '@plimsoll/contract/rules/printable-text';
import type { DrivePart } from '@plimsoll/contract/wire/hardware';
import { figureKey } from '../collect-readings.ts';
import type { Figures } from '../figures.ts';

/** Types of smartctl -d by the protocol behind them: "sat" is ATA behind a SCSI controller. */
const PROTOCOLS: Partial<Record<string, string>> = { sat: 'ata', ata: 'ata', nvme: 'nvme', scsi: 'scsi' };

/** Returns the drives that the script smartmon.sh sends, the device of each once. */
export function smartDrives(figures: Figures): DrivePart[] {
  const infos = new Map(figures.labelsOf('drive-info').map(([disk = '', ...rest]) => [disk, rest]));
  const disks = new Set(figures.labelsOf('drive').map(([disk = '']) => disk));
  return [...disks].toSorted().map((disk) => {
    const value = (what: string): number | null => figures.value(figureKey('drive', disk, what));
    const [type = '', model = ''] = infos.get(disk) ?? [];
    const healthy = value('healthy');
    return {
      device: disk.replace(/^\/dev\//, ''),
      model: model || null,
      protocol: ownValue(PROTOCOLS, type.split('+')[0] ?? '') ?? (type || 'unknown'),
      passed: healthy === null ? null : healthy === 1,
      reason: healthy === 0 ? 'its own test of health failed' : null,
      celsius: plausibleCelsius(value('celsius')),
      power_on_hours: value('hours'),
      wear_percent: null,
      reallocated: value('reallocated'),
      pending: value('pending'),
      uncorrectable: value('uncorrectable'),
      read_at: null,
    };
  });
}
