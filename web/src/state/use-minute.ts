import { MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import { useSyncExternalStore } from 'react';
import { onTick } from '../time/clock.ts';

const thisMinute = (): number => Math.floor(Date.now() / 1000 / MINUTE_SECONDS) * MINUTE_SECONDS;

/** Returns the start of the current minute, epoch seconds. What is drawn of it changes once a minute, not each second. */
export const useMinute = (): number => useSyncExternalStore(onTick, thisMinute);
