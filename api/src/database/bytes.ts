/** Prisma takes bytes on a buffer of their own; a Buffer may be a view of a shared pool. */
export const bytesOf = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);
