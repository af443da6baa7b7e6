import type { ServerWithLatest } from '../servers/types.ts';
import type { Authorized } from '../tenancy/owner.ts';
import type { HiddenPart } from './types.ts';

export interface HiddenParts {
  /** Returns the hidden parts of a server, by kind and subject. */
  of(server: Authorized<ServerWithLatest>): Promise<HiddenPart[]>;
  /** Stores a part; one that is hidden already stays as it is. */
  hide(server: Authorized<ServerWithLatest>, part: HiddenPart): Promise<void>;
  /** Returns false if the part was not hidden. */
  show(server: Authorized<ServerWithLatest>, part: Pick<HiddenPart, 'kind' | 'subject'>): Promise<boolean>;
  /** Sets the latest disk figure of the server to its fullest filesystem that is not hidden; null where there is none. */
  correctDisk(server: Authorized<ServerWithLatest>): Promise<void>;
  /** Returns the hidden mount points of every server that has some, by server key. */
  mounts(): Promise<Map<number, ReadonlySet<string>>>;
}
