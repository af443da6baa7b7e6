import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import { kubeletParts } from '../kubernetes/postgres/reports.ts';
import type { TestDatabase } from './postgres.ts';

/** Stores the kubelet part of a report without its host figures; `at` in epoch milliseconds. */
export const writeNode = (db: TestDatabase, serverId: string, at: number, part: NodePart): Promise<void> =>
  db.transaction((client) => kubeletParts.write(client, serverId, [{ at: at / 1000, part }]));
