/** A longer stretch without a sample, in intervals, is a gap: two missed reports and the jitter of a third. */
export const GAP_INTERVALS = 2.5;
