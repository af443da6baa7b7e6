import { plausibleCelsius } from '@plimsoll/contract/rules/machines/temperatures';
import type { DrivePart } from '@plimsoll/contract/wire/hardware';
import { orNull } from '../../runtime/or-null.ts';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';

const NAME_BYTES = 96;
const REASON_BYTES = 200;

/** Attributes of ATA by their numbers, whose raw value is a count (smartmontools, drivedb.h). */
const COUNTS = { reallocated: [5], pending: [197], uncorrectable: [198, 187] } as const;
/** Attributes whose normalized value is the share of life that is left. */
const LIFE_LEFT =
  /^(?:SSD_Life_Left|Media_Wearout_Indicator|Wear_Leveling_Count|Percent_Lifetime_Remain|Remaining_Lifetime_Perc)$/;
/** Bits of the critical warning of NVMe (NVM Express Base Specification, SMART / Health Information). */
const NVME_WARNINGS = [
  'its spare blocks are nearly used up',
  'its temperature is out of bounds',
  'its reliability is degraded',
  'it is read-only',
  'its backup of volatile memory failed',
];

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const at = (tree: unknown, ...path: string[]): unknown =>
  path.reduce((value: unknown, key) => (isTree(value) && Object.hasOwn(value, key) ? value[key] : undefined), tree);
const list = (value: unknown): Tree[] => (Array.isArray(value) ? value.filter(isTree) : []);
const figure = (value: unknown, most = Number.MAX_SAFE_INTEGER): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= most ? value : null;
const whole = (value: unknown): number | null => {
  const number = figure(value);
  return number === null ? null : Math.trunc(number);
};
const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/**
 * Reads what `smartctl --json -i -H -A` printed about one drive. `problem`: why there is no health, or no drive at all. `ts`:
 * epoch seconds of the answer.
 */
export function parseSmart(
  printed: string,
  device: string,
  ts: number,
): { drive: DrivePart | null; problem: string | null } {
  const tree = orNull(() => JSON.parse(printed) as unknown);
  if (!isTree(tree)) return { drive: null, problem: 'smartctl printed no JSON. It needs version 7 or later' };
  const said = list(at(tree, 'smartctl', 'messages')).flatMap((message) => text(message['string']) ?? []);
  const protocol = text(at(tree, 'device', 'protocol'))?.toLowerCase() ?? null;
  const passed = at(tree, 'smart_status', 'passed');
  const nvme = at(tree, 'nvme_smart_health_information_log');
  const hasFigures = typeof passed === 'boolean' || isTree(nvme) || at(tree, 'ata_smart_attributes') !== undefined;
  if (protocol === null || !hasFigures)
    return { drive: null, problem: cutToBytes(said[0] ?? 'the drive reports no health', REASON_BYTES) };
  const attributes = list(at(tree, 'ata_smart_attributes', 'table'));
  return {
    drive: {
      device,
      model: modelOf(tree),
      protocol: cutToBytes(protocol, 16),
      passed: typeof passed === 'boolean' ? passed : null,
      reason: passed === false ? reasonOf(attributes, nvme, said) : null,
      // Virtual disks and controllers say 0.
      celsius: plausibleCelsius(figure(at(tree, 'temperature', 'current'))),
      power_on_hours: whole(at(tree, 'power_on_time', 'hours')),
      wear_percent: wearOf(tree, attributes),
      ...countsOf(tree, attributes, nvme),
      read_at: ts,
    },
    problem: typeof passed === 'boolean' ? null : 'the drive does not say whether it is healthy',
  };
}

function modelOf(tree: Tree): string | null {
  const scsi = [text(tree['scsi_vendor']), text(tree['scsi_product'])].filter((part) => part !== null).join(' ');
  const model = text(tree['model_name']) ?? text(tree['scsi_model_name']) ?? text(scsi);
  return model === null ? null : cutToBytes(model, NAME_BYTES);
}

function reasonOf(attributes: readonly Tree[], nvme: unknown, said: readonly string[]): string | null {
  const failing = attributes.flatMap((one) =>
    text(one['when_failed']) === 'now' ? [`${text(one['name']) ?? String(one['id'])} is below its threshold`] : [],
  );
  const bits = whole(at(nvme, 'critical_warning')) ?? 0;
  const warned = NVME_WARNINGS.filter((_, bit) => (bits & (1 << bit)) !== 0);
  const reasons = [...failing, ...warned];
  return reasons.length === 0
    ? said[0] === undefined
      ? null
      : cutToBytes(said[0], REASON_BYTES)
    : cutToBytes(reasons.join(', '), REASON_BYTES);
}

function wearOf(tree: Tree, attributes: readonly Tree[]): number | null {
  const known =
    figure(at(tree, 'endurance_used', 'current_percent')) ??
    figure(at(tree, 'nvme_smart_health_information_log', 'percentage_used')) ??
    figure(at(tree, 'scsi_percentage_used_endurance_indicator'));
  // It may go on counting above 100.
  if (known !== null) return Math.min(100, known);
  // Discs do not wear by writes, and some use one of these numbers for something else.
  if (at(tree, 'rotation_rate') !== 0) return null;
  const left = attributes.find((one) => LIFE_LEFT.test(text(one['name']) ?? ''));
  const value = figure(left?.['value'], 100);
  return value === null ? null : 100 - value;
}

/**
 * Some drives put other numbers into the upper bits of a count. smartctl prints the count first then ("4 (0 4)"), while its
 * value is all 48 bits (smartmontools, RAWFMT_RAW16_OPT_RAW16).
 */
function rawCount(attribute: unknown): number | null {
  const first = /^(\d{1,15})(?: |$)/.exec(text(at(attribute, 'raw', 'string')) ?? '')?.[1];
  return first === undefined ? whole(at(attribute, 'raw', 'value')) : Number(first);
}

type Counts = Pick<DrivePart, 'reallocated' | 'pending' | 'uncorrectable'>;

function countsOf(tree: Tree, attributes: readonly Tree[], nvme: unknown): Counts {
  if (isTree(nvme)) return { reallocated: null, pending: null, uncorrectable: whole(nvme['media_errors']) };
  const raw = (ids: readonly number[]): number | null => {
    const found = attributes.find((one) => typeof one['id'] === 'number' && ids.includes(one['id']));
    return rawCount(found);
  };
  if (attributes.length > 0)
    return {
      reallocated: raw(COUNTS.reallocated),
      pending: raw(COUNTS.pending),
      uncorrectable: raw(COUNTS.uncorrectable),
    };
  const errors = ['read', 'write', 'verify'].flatMap(
    (kind) => whole(at(tree, 'scsi_error_counter_log', kind, 'total_uncorrected_errors')) ?? [],
  );
  return {
    reallocated: whole(at(tree, 'scsi_grown_defect_list')),
    pending: null,
    uncorrectable: errors.length === 0 ? null : errors.reduce((sum, one) => sum + one, 0),
  };
}
