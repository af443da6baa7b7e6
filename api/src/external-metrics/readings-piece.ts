import { hash } from 'node:crypto';
import type { MetricSource, Reading } from './types.ts';

/** Readings that are stored by one statement, as JSON: an array of rows. */
export interface ReadingsPiece {
  json: string;
  rows: number;
}

/** A statement with these takes some 50 ms, a hundredth of what a statement may take. */
const MOST_CHARACTERS = 1_048_576;
const MOST_ROWS = 500;

/** Identity of a source within its account, of a fixed length. */
export const identityHash = ({ agent, identity }: MetricSource): Buffer =>
  hash('sha256', `${agent}\t${identity}`, 'buffer');

/** Writes the readings of a request as JSON, in pieces that the database stores in a short time each. */
export function piecesOf(readings: readonly Reading[]): ReadingsPiece[] {
  const pieces: ReadingsPiece[] = [];
  let rows: string[] = [];
  let characters = 0;
  const end = (): void => {
    if (rows.length > 0) pieces.push({ json: `[${rows.join(',')}]`, rows: rows.length });
    [rows, characters] = [[], 0];
  };
  for (const reading of readings) {
    const row = rowOf(reading);
    if (rows.length >= MOST_ROWS || characters + row.length > MOST_CHARACTERS) end();
    rows.push(row);
    characters += row.length;
  }
  end();
  return pieces;
}

function rowOf({ source, apart, intervalAt, values, growths }: Reading): string {
  const [reading_values, grown] = [JSON.stringify(values), JSON.stringify(growths)];
  const head = {
    hash: identityHash(source).toString('hex'),
    ...source,
    apart,
    interval_at: intervalAt,
    samples: values.length + growths.length,
    characters: reading_values.length + grown.length,
  };
  return `${JSON.stringify(head).slice(0, -1)},"reading_values":${reading_values},"growths":${grown}}`;
}
