/** Touch screens: each target is at least {@link TARGET_PX} high. */
export const TOUCH = '@media (pointer: coarse), (max-width: 599.95px)';
export const TARGET_PX = 40;
/** Screens where sections are folded. */
export const PHONE = '(max-width: 599.95px)';
