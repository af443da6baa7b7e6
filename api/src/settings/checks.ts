import { readRanges } from './ranges.ts';
import { setting } from './setting.ts';

export const checks = {
  title: 'Checks',
  settings: {
    checkNetworks: setting(
      'PLIMSOLL_CHECK_NETWORKS',
      {
        fallback: 'none',
        meaning:
          'private addresses and CIDR ranges, with commas between, that checks of the API may reach beside public addresses. Link-local and metadata addresses stay refused ([checks.md](checks.md))',
      },
      readRanges,
    ),
  },
};
