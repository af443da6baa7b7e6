import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import type { Job } from '../jobs/scheduler.ts';
import type { Conversations } from './store.ts';

export const aiJobs = ({ conversations }: { conversations: Conversations }): Job[] => [
  {
    name: 'ai-prune',
    everySeconds: 3600,
    run: async (now) => {
      const removed = await conversations.prune(now - AI_LIMITS.conversationDays * DAY_MS);
      return removed === 0 ? null : { removed };
    },
  },
];
