import { RESOURCE_NAME } from '@plimsoll/contract/rules/load-words';
import type { AnswerChart } from '@plimsoll/contract/wire/ai';

/** "CPU of web-1": the figure as the screens name it. */
export const chartTitle = (metric: AnswerChart['metric'], of: string): string => `${RESOURCE_NAME[metric]} of ${of}`;
