import type { Headroom, LoadLines } from '../wire/servers.ts';

/** Latest per cents of a server; null or absent is unknown and takes no part. */
export interface LoadValues {
  cpu?: number | null;
  memory?: number | null;
  disk?: number | null;
  io_wait?: number | null;
  /** Mount point the disk's value belongs to. */
  diskMount?: string | null;
}

export type Band = 'ok' | 'near' | 'over';

/** Within this many points below its line a resource is near it. */
export const NEAR_POINTS = 20;
/** Returns the distance at which a resource counts as near. IO wait has its own scale (line 10): half its line. */
export const nearPointsOf = (resource: Headroom['resource'], line: number): number =>
  resource === 'io_wait' ? line / 2 : NEAR_POINTS;

/** Returns the band of a value. A value on the line is over it, like the colours: 80 is red. */
export function bandOf(value: number, line: number, nearPoints: number = NEAR_POINTS): Band {
  if (value >= line) return 'over';
  return value >= line - nearPoints ? 'near' : 'ok';
}

/** Returns the band of a headroom: over, within 20 points, clear. */
export const headroomBand = (headroom: Headroom): Band => bandOf(headroom.value, headroom.line);

const candidate = (resource: Headroom['resource'], value: number | null | undefined, line: number): Headroom[] =>
  typeof value === 'number' && Number.isFinite(value)
    ? [{ resource, value, line, points: line - value, subject: null }]
    : [];

/**
 * Returns the distance in points (line − value) of the resource nearest to its line; negative is over. Null when nothing is known.
 * IO wait counts only once it is over: with a line at 10 it would otherwise be the nearest resource of every server.
 */
export function headroomOf(lines: LoadLines, values: LoadValues): Headroom | null {
  const ioWait = candidate('io_wait', values.io_wait, lines.io_wait.warning).filter((each) => each.points <= 0);
  const disk = candidate('disk', values.disk, lines.disk.warning).map((each) =>
    Object.assign(each, { subject: values.diskMount ?? null }),
  );
  const all = [
    ...candidate('cpu', values.cpu, lines.cpu.warning),
    ...candidate('memory', values.memory, lines.memory.warning),
    ...disk,
    ...ioWait,
  ];
  return all.reduce<Headroom | null>((least, each) => (least && least.points <= each.points ? least : each), null);
}

/** Compares servers: least headroom first; servers without headroom last, in their original order. */
export function byHeadroom(a: { headroom: Headroom | null }, b: { headroom: Headroom | null }): number {
  if (a.headroom === null || b.headroom === null) return Number(a.headroom === null) - Number(b.headroom === null);
  return a.headroom.points - b.headroom.points;
}
