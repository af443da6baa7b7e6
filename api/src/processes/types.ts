import type { Seen } from '../servers/types.ts';
import type { ConnectionPart, ProcessPart } from '@plimsoll/contract/wire/report';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export type ProcessRecord = Seen & ProcessPart & { serverCpuCores: number | null };

export type ConnectionRecord = Seen & ConnectionPart;
