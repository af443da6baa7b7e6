/** The cells of a table or the points of a chart, as a file holds them. */
export interface ExportTable {
  columns: readonly string[];
  rows: readonly (readonly (string | number | boolean | null)[])[];
}

/** Makes the rows on demand; the rows of a long list are fetched first. */
export type MakeTable = () => ExportTable | Promise<ExportTable>;

type Cell = ExportTable['rows'][number][number];

const cellOf = (value: unknown): Cell =>
  value === undefined || value === null
    ? null
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : JSON.stringify(value);

/** Returns the named fields of each row, as the API gives them; a field that is a list or an object is JSON. */
export const fieldsTable = <Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): ExportTable => ({ columns, rows: rows.map((row) => columns.map((name) => cellOf(row[name]))) });

/** A spreadsheet runs a text that begins with one of these as a formula, and names come from the hosts. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns RFC 4180 text: a head, one line a row, an empty field for the unknown. */
export const csvText = ({ columns, rows }: ExportTable): string =>
  [columns, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

/** Returns a JSON list with one object a row. */
export const jsonText = ({ columns, rows }: ExportTable): string =>
  `${JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
    null,
    2,
  )}\n`;

/** Returns a file name from what the file holds: "build-hel-02-cpu-2026-11-22-to-2026-11-23.csv". */
export function fileName(parts: readonly string[], extension: string): string {
  const words = parts.map((part) =>
    part
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}.]+/gu, '-')
      .replaceAll(/^[-.]+|[-.]+$/g, ''),
  );
  return `${words.filter((word) => word !== '').join('-') || 'plimsoll'}.${extension}`;
}

/** Returns an interval in epoch seconds as a file name says it, in UTC. */
export const stretchName = (from: number, to: number): string => {
  const moment = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16).replace(':', '');
  return `${moment(from)}-to-${moment(to)}`;
};

/** Hands a text to the browser as a download. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
