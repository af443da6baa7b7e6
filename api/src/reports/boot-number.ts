import { hash } from 'node:crypto';

/** Returns the number that is stored for a boot id. 32 bits tell two boots of one machine apart. */
export const bootNumber = (bootId: string): number => hash('sha256', bootId, 'buffer').readInt32BE(0);
