/** Returns a moment of a response in epoch seconds. */
export const seconds = (moment: string): number => Date.parse(moment) / 1000;
export const secondsOrNull = (moment: string | null): number | null => (moment === null ? null : seconds(moment));
