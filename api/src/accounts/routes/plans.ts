import { plansAnswer } from '@plimsoll/contract/wire/accounts/plans';
import type { Deps } from '../../deps.ts';
import { PLANS } from '../plans.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';

export const planRoutes = ({ config }: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/plans',
      actor: 'anyone',
      summary: 'Lists the plans; says if this installation enforces their limits',
      tag: 'Plans',
      answer: plansAnswer,
    },
    () =>
      Promise.resolve({
        plans: Object.values(PLANS).map(({ name, usdPerMonth, servers, historyDays, more }) => ({
          name,
          usd_per_month: usdPerMonth,
          servers,
          history_days: historyDays,
          more: [...more],
        })),
        enforced: config.planLimits !== null,
      }),
  ),
];
