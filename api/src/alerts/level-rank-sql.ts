import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';

/** Returns SQL of the place of a level in ALERT_LEVELS; a smaller place is graver. */
export const levelRank = (level: string): string => `array_position(ARRAY['${ALERT_LEVELS.join("','")}'], ${level})`;
