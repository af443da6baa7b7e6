import type { Resource } from './limits.ts';
import type { Headroom } from '../wire/servers.ts';

export const RESOURCE_NAME: Record<Resource, string> = {
  cpu: 'CPU',
  memory: 'Memory',
  disk: 'Disk',
  io_wait: 'IO wait',
};
/** Under a bar 30 px wide. */
export const RESOURCE_SHORT: Record<Resource, string> = { cpu: 'CPU', memory: 'Mem', disk: 'Disk', io_wait: 'IO' };

/** Returns whole points, one place below one point: a hair over the line must not read "0 over". */
export function pointsText(points: number): string {
  const size = Math.abs(points);
  if (size === 0) return '0';
  return size < 1 ? Math.max(0.1, size).toFixed(1) : String(Math.round(size));
}

export type Side = 'over' | 'below' | 'at';
export const sideOf = (points: number): Side => (points < 0 ? 'over' : points === 0 ? 'at' : 'below');

/** Returns "11 over", "4 below" or "at the line", for cards and cells. */
export function distanceText(points: number): string {
  const side = sideOf(points);
  return side === 'at' ? 'at the line' : `${pointsText(points)} ${side}`;
}

/** Returns "11 over the line" and the like, for a reader of the screen. */
export function distanceSentence(points: number): string {
  const side = sideOf(points);
  return side === 'at' ? 'at the line' : `${pointsText(points)} ${side} the line`;
}

/** Returns "Disk · 4 below". */
export const headroomText = ({ resource, points }: Headroom): string =>
  `${RESOURCE_NAME[resource]} · ${distanceText(points)}`;

/** Returns the text of the meter: "CPU 91 %, 11 over the line". */
export function meterLabel(name: string, value: number, line: number | null): string {
  const figure = `${name} ${Math.round(value)} %`;
  return line === null ? figure : `${figure}, ${distanceSentence(line - value)}`;
}
