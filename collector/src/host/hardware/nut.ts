import type { PowerPart } from '@plimsoll/contract/wire/hardware';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Exec } from '../../runtime/exec.ts';
import type { Files } from '../../runtime/files.ts';

/** Configuration of NUT: of Debian, Alpine and Arch; of Red Hat and SUSE; of FreeBSD's layout, which Unraid and others use. */
const CONFIGURED = ['etc/nut', 'etc/ups', 'usr/local/etc/nut'] as const;
const NAME_BYTES = 64;
const MOST_UNITS = 8;
/** A machine with the package and without a running server costs one child in this time. */
const RETRY_SECONDS = 600;

/** Words of `ups.status` (docs/new-drivers.txt of NUT: "Status data"). */
const WORDS: Readonly<Record<string, string>> = {
  OL: 'online',
  OB: 'on battery',
  LB: 'low battery',
  HB: 'high battery',
  RB: 'replace battery',
  CHRG: 'charging',
  DISCHRG: 'discharging',
  BYPASS: 'bypass',
  CAL: 'calibrating',
  OFF: 'off',
  OVER: 'overloaded',
  TRIM: 'trimming',
  BOOST: 'boosting',
  FSD: 'forced shutdown',
  ALARM: 'alarm',
  COMM: 'connected',
  NOCOMM: 'not connected',
};

/** Parses what `upsc UPS` prints: lines "battery.charge: 86". Null: it is no UPS, such as a power distribution unit. */
export function parseUpsc(name: string, text: string): PowerPart | null {
  const values = new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [, key = '', value = ''] = /^([a-z][a-z0-9.-]*): ?(.*)$/.exec(line) ?? [];
      return key === '' ? [] : [[key, value.trim()]];
    }),
  );
  const type = values.get('device.type') ?? 'ups';
  if (type !== 'ups') return null;
  const status = (values.get('ups.status') ?? '').split(/\s+/).filter((word) => word !== '');
  // Without a connection to the unit its figures are of the time before.
  const isKnown = status.length > 0 && !status.includes('NOCOMM');
  const first = (...keys: string[]): string | undefined => keys.map((key) => values.get(key)).find(Boolean);
  const number = (key: string, most: number): number | null => (isKnown ? numberOf(values.get(key), most) : null);
  const model = [first('device.mfr', 'ups.mfr'), first('device.model', 'ups.model')].filter(Boolean).join(' ');
  const state = status.map((word) => WORDS[word] ?? word.toLowerCase()).join(', ');
  return {
    name: cutToBytes(name, NAME_BYTES),
    kind: 'ups',
    model: model === '' ? null : cutToBytes(model, NAME_BYTES),
    state: state === '' ? 'unknown' : cutToBytes(state, NAME_BYTES),
    on_battery: isKnown && (status.includes('OB') || status.includes('OL')) ? status.includes('OB') : null,
    charge_percent: number('battery.charge', 100),
    seconds_left: number('battery.runtime', MOST_SECONDS),
    health_percent: null,
    load_percent: number('ups.load', 1000),
    read_at: null,
  };
}

const MOST_SECONDS = 1e8;
const numberOf = (text: string | undefined, most: number): number | null =>
  text !== undefined && /^\d{1,9}(?:\.\d{1,6})?$/.test(text) && Number(text) <= most ? Number(text) : null;

/** NUT limits a name to these characters (docs/man/ups.conf.txt); a name that begins with "-" would be an option. */
const NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;

/** Returns a reader of the UPS units whose server of NUT runs on this machine. It starts no child where NUT is not configured. */
export function nutReader(files: Files, exec: Exec): (up: number) => Promise<PowerPart[]> {
  let retryAt = 0;
  const ask = (argv: readonly string[]): Promise<string> => exec('upsc', argv, (code) => code === 1);
  return async (up) => {
    if (up < retryAt || !CONFIGURED.some((path) => files.list(path).length > 0)) return [];
    const listed = await ask(['-l', 'localhost']).catch(() => '');
    const names = listed.split('\n').filter((name) => NAME.test(name));
    if (names.length === 0) {
      retryAt = up + RETRY_SECONDS;
      return [];
    }
    const units = names.slice(0, MOST_UNITS).map(async (name) => {
      // Exit code 1 and no output: the driver of this unit does not run, or its data are stale.
      const unit = parseUpsc(name, await ask([`${name}@localhost`]).catch(() => ''));
      return unit === null ? [] : [unit];
    });
    return (await Promise.all(units)).flat();
  };
}
