import { readRanges } from './ranges.ts';
import { code, HTTP, NONE, setting } from './setting.ts';

const HOST = '127.0.0.1';
const PORT = 8420;

export const address = {
  title: 'Address',
  settings: {
    host: setting(
      'PLIMSOLL_HOST',
      {
        fallback: code(HOST),
        meaning:
          'address that the dashboard listens on; `::` lets other machines in, by IPv6 and IPv4, `0.0.0.0` by IPv4 alone',
      },
      (environment, name) => environment.text(name) ?? HOST,
    ),
    port: setting(
      'PLIMSOLL_PORT',
      { isShown: true, fallback: code(PORT), meaning: 'its port; 0 takes a free one' },
      (environment, name) => environment.port(name, PORT),
    ),
    /** Origin users and agents reach us at, without a trailing slash; null: the browser's own origin. */
    publicUrl: setting(
      'PLIMSOLL_PUBLIC_URL',
      {
        fallback: "the browser's origin",
        meaning: 'address at which browsers and collectors reach the dashboard, such as `https://plimsoll.example.com`',
      },
      (environment, name) => environment.url(name, HTTP)?.replace(/\/+$/, '') ?? null,
    ),
    trustedProxies: setting(
      'PLIMSOLL_TRUSTED_PROXIES',
      {
        fallback: NONE,
        meaning:
          'addresses and CIDR ranges, with commas between, whose X-Forwarded-For and X-Forwarded-Proto are believed',
      },
      readRanges,
    ),
    /** Own port of /metrics, which `port` then does not serve; null: /metrics is on `port`. */
    metricsPort: setting(
      'PLIMSOLL_METRICS_PORT',
      {
        isShown: true,
        fallback: 'the port of the dashboard',
        meaning:
          'own port of `/metrics` ([metrics.md](metrics.md)), so that a proxy in front of the dashboard does not publish it',
      },
      (environment, name) => environment.port(name, null),
    ),
  },
};
