import { cutText, isVisible } from '@plimsoll/contract/rules/printable-text';
import type { StoredReading, Value } from './types.ts';

/** A boot time that the kernel computes from its clock moves by a second between two samples. */
export const SAME_MOMENT_SECONDS = 2;
/** A clock that is adjusted moves the time of boot by seconds. */
export const SAME_BOOT_SECONDS = 120;
const NAME_CHARACTERS = 64;
/** Names and addresses of one machine that are compared. */
const MOST_TEXTS = 16;

/** Whatever the samples of one sender hold about the machine. An empty text or list: not sent. */
export interface MachineFacts {
  /** Labels of all its series, such as the cluster. */
  apart: string;
  hostname: string;
  /** Ids of the firmware or of the system: product_uuid, machine_id. */
  ids: string[];
  /** Hardware addresses of its network interfaces. */
  addresses: string[];
  /** Epoch seconds. */
  bootedAt: number | null;
}

/** A part of an interval that comes from one sender. */
export interface Sent extends MachineFacts {
  readings: StoredReading[];
  /** Epoch milliseconds of its first and its last sample. */
  from: number;
  to: number;
  /** Its own samples name two machines. */
  isMixed: boolean;
}

/** Returns what the readings of one sender say of its machine. */
export function sentBy(readings: StoredReading[]): Sent {
  const texts = { uname: new Set<string>(), 'machine-id': new Set<string>(), 'interface-address': new Set<string>() };
  const boots: number[] = [];
  let [from, to] = [Infinity, -Infinity];
  for (const { values, growths } of readings) {
    for (const [key, value, at] of values) {
      [from, to] = [Math.min(from, at), Math.max(to, at)];
      const [figure = '', ...labels] = key.split('\t');
      if (figure === 'boot-time' && value > 0) boots.push(value);
      else if (figure === 'uptime') boots.push(at / 1000 - value);
      else if (figure === 'uname' || figure === 'machine-id' || figure === 'interface-address') {
        const text = labels[figure === 'interface-address' ? 1 : 0] ?? '';
        if (isVisible(text) && texts[figure].size < MOST_TEXTS && !isNoAddress(text))
          texts[figure].add(cutText(text, NAME_CHARACTERS));
      }
    }
    for (const [, , , at] of growths) [from, to] = [Math.min(from, at), Math.max(to, at)];
  }
  const hostnames = [...texts.uname].toSorted();
  const booted = [Math.min(...boots), Math.max(...boots)] as const;
  return {
    readings,
    from,
    to,
    apart: readings.find(({ apart }) => apart !== '')?.apart ?? '',
    hostname: hostnames[0] ?? '',
    ids: [...texts['machine-id']].toSorted(),
    addresses: [...texts['interface-address']].toSorted(),
    bootedAt: boots.length === 0 ? null : booted[1],
    isMixed: hostnames.length > 1 || booted[1] - booted[0] > SAME_BOOT_SECONDS,
  };
}

const isNoAddress = (text: string): boolean => /^(?:00:)+00$|^(?:ff:)+ff$/i.test(text);

/** Returns true if nothing but the name of the source says which machine these are of. */
export const isNameless = ({ apart, hostname, ids, addresses, bootedAt }: MachineFacts): boolean =>
  apart === '' && hostname === '' && ids.length === 0 && addresses.length === 0 && bootedAt === null;

/**
 * Divides the readings of one interval by their senders. Samples of one scrape have one time to the millisecond, in how
 * many requests they come. If that joins two machines, each request stands alone.
 */
export function sendersOf(readings: readonly StoredReading[]): Sent[] {
  const labels = new Set(readings.map(({ apart }) => apart).filter((apart) => apart !== ''));
  const groups: { readings: StoredReading[]; times: Set<number>; apart: string }[] = [];
  for (const reading of readings) {
    const times = new Set(reading.values.map(([, , at]) => at));
    const { apart } = reading;
    const joined = groups.filter(
      (group) =>
        // A scrape may have its labels on some series only.
        (group.apart === apart || (labels.size === 1 && (group.apart === '' || apart === ''))) &&
        [...times].some((at) => group.times.has(at)),
    );
    const whole = joined[0] ?? { readings: [], times: new Set<number>(), apart };
    for (const other of joined.slice(1)) {
      whole.readings.push(...other.readings);
      for (const at of other.times) whole.times.add(at);
      groups.splice(groups.indexOf(other), 1);
    }
    whole.readings.push(reading);
    whole.apart ||= apart;
    for (const at of times) whole.times.add(at);
    if (joined.length === 0) groups.push(whole);
  }
  return groups.flatMap((group) => {
    const sent = sentBy(group.readings);
    return sent.isMixed && group.readings.length > 1 ? group.readings.map((reading) => sentBy([reading])) : [sent];
  });
}

/** Joins the readings of one machine in one interval. */
export const joined = (readings: readonly StoredReading[]): Pick<StoredReading, 'values' | 'growths'> => ({
  values: readings.flatMap(({ values }): Value[] => values),
  growths: readings.flatMap(({ growths }) => growths),
});
