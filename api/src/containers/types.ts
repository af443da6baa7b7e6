import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import type { ServerStatus } from '@plimsoll/contract/rules/limits';

/** Times are epoch milliseconds; values are in base units. */

/** Containers of the newest report of one server. */
export interface ContainersOfServer {
  serverKey: number;
  sampleAt: number;
  containers: readonly ContainerPart[];
}

/** A container with its place and what is decided about it. */
export interface PlacedContainer {
  serverKey: number;
  serverId: string;
  hostname: string;
  status: ServerStatus;
  sampleAt: number;
  part: ContainerPart;
  isBroken: boolean;
  isHidden: boolean;
  /** Per cent of the limit; null: no limit, not running, or not known. */
  memoryPercent: number | null;
  linePercent: number;
}

/** Stored CPU of one container: per cent of one core at a step. */
export interface ContainerPoint {
  at: number;
  cpuPercent: number | null;
}
