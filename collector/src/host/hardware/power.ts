import { isPowerAdapter } from '@plimsoll/contract/rules/machines/power';
import type { PowerPart } from '@plimsoll/contract/wire/hardware';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Exec } from '../../runtime/exec.ts';
import type { Files } from '../../runtime/files.ts';
import type { Source } from '../../source.ts';
import { nutReader } from './nut.ts';

const ROOT = 'sys/class/power_supply';
/** apcupsd writes it when STATTIME is set; some distributions put it into /run. */
const APCUPSD = ['var/log/apcupsd.status', 'run/apcupsd.status'] as const;
const NAME_BYTES = 64;

/** Reads batteries and UPS units of the kernel, of the status file of apcupsd, and of the server of NUT on this machine. */
export function powerSource(files: Files, exec: Exec): Source {
  const readNut = nutReader(files, exec);
  return {
    name: 'power',
    instant: true,
    read: async ({ up }) => {
      const names = files.list(ROOT);
      const isAtMains = names.some((name) => isMains(files, name));
      const ofKernel = names.flatMap((name) => readSupply(files, name, isAtMains));
      const power = [...ofKernel, ...readApcupsd(files), ...(await readNut(up))];
      return { part: power.length === 0 ? {} : { power } };
    },
  };
}

/** Returns true for an adapter that gives power, whatever its number says of how it was programmed. */
function isMains(files: Files, name: string): boolean {
  const of = (file: string): string => files.optional(`${ROOT}/${name}/${file}`)?.trim() ?? '';
  return isPowerAdapter(of('type')) && /^[1-9]\d*$/.test(of('online'));
}

/** Whole numbers of the kernel are in µWh, µAh, seconds and per cent (Documentation/power/power_supply_class.rst). */
function readSupply(files: Files, name: string, isAtMains: boolean): PowerPart[] {
  const at = `${ROOT}/${name}`;
  const text = (file: string): string | null => files.optional(`${at}/${file}`)?.trim() || null;
  const number = (file: string): number | null => numberOf(text(file));
  const type = text('type');
  // A mouse or a headset has a battery of its own, with the scope "Device".
  if ((type !== 'Battery' && type !== 'UPS') || text('scope') === 'Device' || text('present') === '0') return [];
  const status = text('status');
  const charge = number('capacity');
  const model = [text('manufacturer'), text('model_name')].filter((part) => part !== null).join(' ');
  return [
    {
      name: cutToBytes(name, NAME_BYTES),
      kind: type === 'UPS' ? 'ups' : 'battery',
      model: model === '' ? null : cutToBytes(model, NAME_BYTES),
      state: status === null ? 'unknown' : cutToBytes(status.toLowerCase(), NAME_BYTES),
      // A battery also discharges at the mains: at a weak adapter, or down to a threshold that its owner set.
      on_battery:
        status === null || status === 'Unknown' ? null : status === 'Discharging' && (type === 'UPS' || !isAtMains),
      // Some gauges count above full.
      charge_percent: charge === null ? null : Math.min(100, charge),
      seconds_left: status === 'Discharging' ? (number('time_to_empty_now') ?? number('time_to_empty_avg')) : null,
      health_percent:
        shareOf(number('energy_full'), number('energy_full_design')) ??
        shareOf(number('charge_full'), number('charge_full_design')),
      load_percent: null,
      read_at: null,
    },
  ];
}

const numberOf = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;

/** A new battery may hold more than its design says. */
const shareOf = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : Math.min(100, (part / whole) * 100);

/** Lines "BCHARGE  : 100.0 Percent" of apcupsd (doc/manual: Status Logging). */
export function parseApcupsd(text: string): Omit<PowerPart, 'read_at'> | null {
  const values = new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [, key = '', value = ''] = /^([A-Z]+) *: ?(.*)$/.exec(line) ?? [];
      return key === '' ? [] : [[key, value.trim()]];
    }),
  );
  const status = values.get('STATUS');
  if (status === undefined || status === '') return null;
  const figure = (key: string, unit: string): number | null => {
    const found = new RegExp(`^(\\d{1,7}(?:\\.\\d+)?) ${unit}`).exec(values.get(key) ?? '')?.[1];
    return found === undefined ? null : Number(found);
  };
  const minutes = figure('TIMELEFT', 'Minutes');
  const isKnown = !status.includes('COMMLOST');
  return {
    name: cutToBytes(values.get('UPSNAME') || 'apcupsd', NAME_BYTES),
    kind: 'ups',
    model: cutToBytes(values.get('MODEL') ?? '', NAME_BYTES) || null,
    state: cutToBytes(status.toLowerCase(), NAME_BYTES),
    on_battery: isKnown ? status.includes('ONBATT') : null,
    charge_percent: isKnown ? figure('BCHARGE', 'Percent') : null,
    seconds_left: isKnown && minutes !== null ? Math.round(minutes * 60) : null,
    health_percent: null,
    load_percent: isKnown ? figure('LOADPCT', 'Percent') : null,
  };
}

function readApcupsd(files: Files): PowerPart[] {
  for (const path of APCUPSD) {
    const text = files.head(path, 8192)?.text;
    const ups = text === undefined ? null : parseApcupsd(text);
    if (ups === null) continue;
    const changedMs = files.stat(path)?.changedMs ?? 0;
    return [{ ...ups, read_at: changedMs > 0 ? Math.round(changedMs / 1000) : null }];
  }
  return [];
}
