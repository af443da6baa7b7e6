import type { ServersSummary } from '@plimsoll/contract/wire/servers';

/** "1 offline, 1 refused, 1 installing"; what is nought is left out. */
export const notOnlineText = ({ offline, refused, installing }: ServersSummary): string =>
  Object.entries({ offline, refused, installing })
    .flatMap(([status, count]) => (count > 0 ? [`${String(count)} ${status}`] : []))
    .join(', ');
