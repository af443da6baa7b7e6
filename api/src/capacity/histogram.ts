/**
 * A histogram with logarithmic buckets: any quantile is within 2 % of the true value. As bytes it has two numbers for each
 * bucket in use, about 0.2 kB for a day. A library (t-digest, DDSketch) would bring its own format and ten times the code.
 */

/** Each bucket ends 4 % above the one before, so its middle is at most 2 % from any value in it. */
const GROWTH = 1.04;
const LOG_GROWTH = Math.log(GROWTH);
/** Smaller values count as this much: nothing is decided by a thousandth of a millicore, or by a page of memory. */
export const LEAST = { cpuCores: 1e-4, memoryBytes: 65_536 } as const;
/** A container of a million cores ends here. */
const MOST_BUCKETS = 1000;

export type Histogram = Map<number, number>;

export function addValue(histogram: Histogram, value: number, least: number, count = 1): void {
  const bucket = value <= least ? 0 : Math.min(MOST_BUCKETS, Math.ceil(Math.log(value / least) / LOG_GROWTH));
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + count);
}

export function mergeInto(target: Histogram, other: Histogram): void {
  for (const [bucket, count] of other) target.set(bucket, (target.get(bucket) ?? 0) + count);
}

export const countOf = (histogram: Histogram): number => [...histogram.values()].reduce((sum, count) => sum + count, 0);

/** Middle of a bucket, in the unit of `least`. */
const middle = (bucket: number, least: number): number =>
  bucket === 0 ? least : least * ((2 * GROWTH ** bucket) / (GROWTH + 1));
const upperEnd = (bucket: number, least: number): number => least * GROWTH ** bucket;

/** Returns the value below which a share (0 to 1) of all lies; null for an empty histogram. */
export function quantile(histogram: Histogram, share: number, least: number): number | null {
  const buckets = [...histogram].toSorted((a, b) => a[0] - b[0]);
  const rank = share * countOf(histogram);
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (seen >= rank) return middle(bucket, least);
  }
  const last = buckets.at(-1);
  return last === undefined ? null : middle(last[0], least);
}

/** Returns at most `bars` groups of neighbouring buckets: the upper end of each and its share in per cent. */
export function barsOf(histogram: Histogram, least: number, bars: number): [number, number][] {
  const buckets = [...histogram.keys()];
  if (buckets.length === 0) return [];
  const [first, last] = [Math.min(...buckets), Math.max(...buckets)];
  const width = Math.max(1, Math.ceil((last - first + 1) / bars));
  const total = countOf(histogram);
  return Array.from({ length: Math.ceil((last - first + 1) / width) }, (_, index) => {
    const from = first + index * width;
    let count = 0;
    for (let bucket = from; bucket < from + width; bucket += 1) count += histogram.get(bucket) ?? 0;
    return [Number(upperEnd(from + width - 1, least).toPrecision(3)), Math.round((count / total) * 1000) / 10];
  });
}

/** Writes pairs of numbers, each in as few bytes as it needs: the distance to the bucket before, and the count. */
export function encodeHistogram(histogram: Histogram): Buffer {
  const bytes: number[] = [];
  const write = (number: number): void => {
    let rest = number;
    while (rest >= 128) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  };
  let before = 0;
  for (const [bucket, count] of [...histogram].toSorted((a, b) => a[0] - b[0])) {
    write(bucket - before);
    write(count);
    before = bucket;
  }
  return Buffer.from(bytes);
}

/** Reads what `encodeHistogram` wrote. Bytes that end in the middle of a number are left out. */
export function decodeHistogram(bytes: Uint8Array): Histogram {
  const numbers: number[] = [];
  let value = 0;
  let factor = 1;
  for (const byte of bytes) {
    value += (byte % 128) * factor;
    if (byte >= 128) {
      factor *= 128;
      continue;
    }
    numbers.push(value);
    [value, factor] = [0, 1];
  }
  const histogram: Histogram = new Map();
  let bucket = 0;
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    bucket += numbers[index] ?? 0;
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + (numbers[index + 1] ?? 0));
  }
  return histogram;
}
