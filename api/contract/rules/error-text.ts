/** Returns the message of whatever was thrown: JavaScript throws anything, not only errors. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
