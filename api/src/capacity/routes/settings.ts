import { adviceSettings, capacitySettingsAnswer, clusterPrice } from '@plimsoll/contract/wire/capacity-settings';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { DEFAULT_ADVICE } from '../advice.ts';
import { changePrice } from '../change-price.ts';
import { changeSettings } from '../change-settings.ts';
import { shapeAdvice, shapePrice } from './shape-money.ts';

const tag = 'Capacity';
const path = '/api/kubernetes/capacity/settings';
const pricePath = '/api/kubernetes/clusters/:id/price';
/** uid of kube-system. */
const params = { id: z.string().min(1).max(128) };

export const capacitySettingsRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Settings of the advice on sizes, and the prices of the clusters',
      tag,
      answer: capacitySettingsAnswer,
    },
    ({ actor: { owner } }) => describe(deps, owner),
  ),
  defineRoute(
    {
      method: 'PUT',
      path,
      actor: 'user',
      role: 'admin',
      summary: 'Sets how the advice on sizes is computed; the next plan of each cluster uses it',
      audit: 'capacity_settings_changed',
      tag,
      body: adviceSettings,
      answer: capacitySettingsAnswer,
    },
    async ({ actor, body }) => {
      const { cpu_percentile: cpuPercentile, memory_surplus_percent: memorySurplusPercent, days } = body;
      await changeSettings(deps, actor, { cpuPercentile, memorySurplusPercent, days, cpuLimit: body.cpu_limit });
      return describe(deps, actor.owner);
    },
  ),
  defineRoute(
    {
      method: 'PUT',
      path: pricePath,
      actor: 'user',
      role: 'admin',
      summary: 'Sets the price of a core and of a GB of memory for an hour in a cluster',
      audit: 'cluster_price_changed',
      tag,
      params,
      body: clusterPrice,
      answer: capacitySettingsAnswer,
    },
    async ({ actor, params: { id }, body: { currency, core_hour: coreHour, gb_hour: gbHour } }) => {
      await changePrice(deps, actor, { clusterId: id, price: { currency, coreHour, gbHour } });
      return describe(deps, actor.owner);
    },
  ),
  defineRoute(
    {
      method: 'DELETE',
      path: pricePath,
      actor: 'user',
      role: 'admin',
      summary: 'Removes the price of a cluster: no money is shown any more',
      audit: 'cluster_price_deleted',
      tag,
      params,
      answer: capacitySettingsAnswer,
    },
    async ({ actor, params: { id } }) => {
      await changePrice(deps, actor, { clusterId: id, price: null });
      return describe(deps, actor.owner);
    },
  ),
];

async function describe({ storage: { capacitySettings } }: Deps, owner: Owner) {
  const [stored, prices] = await Promise.all([capacitySettings.get(owner), capacitySettings.listPrices(owner)]);
  return {
    advice: shapeAdvice(stored ?? DEFAULT_ADVICE),
    is_default: stored === null,
    prices: prices.map(({ clusterId, clusterName, ...price }) => ({
      ...shapePrice(price),
      cluster_id: clusterId,
      cluster_name: clusterName,
    })),
  };
}
