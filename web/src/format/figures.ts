/** Formats numbers. Null stays null: the caller shows N/A and the reason. */

const grouped = (digits: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const formats = [0, 1, 2, 3].map(grouped);

/** "1,244", "47.9"; rubbish is null. */
export function numberText(value: number | null | undefined, digits = 0): string | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  return formats[digits]?.format(value) ?? value.toFixed(digits);
}

export interface Quantity {
  value: string;
  unit: string;
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
const STEP = 1024;

/** Up to three significant places: "2.91", "46.2", "948". */
const threePlaces = (value: number) => (value >= 100 ? 0 : value >= 10 ? 1 : 2);

function scaled(value: number, from: number): Quantity {
  let size = value;
  let unit = from;
  while (size >= STEP && unit < BYTE_UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  const digits = unit === from || Number.isInteger(size) ? 0 : threePlaces(size);
  return { value: formats[digits]?.format(size) ?? String(size), unit: BYTE_UNITS[unit] ?? 'B' };
}

export const bytesQuantity = (bytes: number): Quantity => scaled(bytes, 0);
/** Steps at 1024: 800 KB, 948 MB, 2.91 GB. */
export const kilobytesQuantity = (kilobytes: number): Quantity => scaled(kilobytes, 1);

/** Whole GB, TB from 1,024 GB on with one place at most: "500 GB", "1.9 TB", "4 TB". */
export function gigabytesText(gigabytes: number): string {
  if (gigabytes < 1) return `${gigabytes.toFixed(1)} GB`;
  if (Math.round(gigabytes) < STEP) return `${Math.round(gigabytes)} GB`;
  return `${Number((gigabytes / STEP).toFixed(1))} TB`;
}

/** "12k" where there is room for three letters: axes. */
export function axisText(value: number): string {
  if (value < 1000) return String(Number(value.toFixed(2)));
  return `${Number((value / 1000).toFixed(2))}k`;
}

const MEGABYTE = 1_048_576;
/** Bandwidth: MB/s = bytes per second ÷ 1,048,576. */
export const megabytesPerSecond = (bytesPerSecond: number): number => bytesPerSecond / MEGABYTE;

/** Decimal places that distinguish a rate in MB/s from zero. */
export const ratePlaces = (value: number): number => (value >= 10 ? 1 : value >= 1 ? 2 : 3);

/** "1 server", "17 servers". */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;
