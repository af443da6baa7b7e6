import { shellWord } from './install-command.ts';

/** Programs that send the metrics of other agents to this dashboard. */
export const SENDERS = ['prometheus', 'vmagent', 'otelcol'] as const;
export type Sender = (typeof SENDERS)[number];

interface SenderText {
  name: string;
  /** Place of the configuration. */
  place: string;
  /** File that only the sender reads: no secret is in a configuration or in the arguments of a process. */
  tokenFile: string;
  configure: (origin: string) => string;
}

/** docs/bring-your-agent.md has the same configurations, and tests run the real senders with them. */
export const SENDER_TEXTS: Record<Sender, SenderText> = {
  prometheus: {
    name: 'Prometheus',
    place: 'prometheus.yml',
    tokenFile: '/etc/prometheus/plimsoll-token',
    configure: (origin) => `remote_write:
  - url: ${origin}/api/v1/write
    authorization: { credentials_file: /etc/prometheus/plimsoll-token }
    write_relabel_configs: [{ source_labels: [__name__], regex: 'node_.+', action: keep }]`,
  },
  vmagent: {
    name: 'vmagent',
    place: 'its options',
    tokenFile: '/etc/vmagent/plimsoll-token',
    configure: (origin) => `vmagent -promscrape.config=prometheus.yml \\
  -remoteWrite.url=${shellWord(`${origin}/api/v1/write`)} \\
  -remoteWrite.bearerTokenFile=/etc/vmagent/plimsoll-token`,
  },
  otelcol: {
    name: 'OpenTelemetry',
    place: 'on each machine',
    tokenFile: '/etc/otelcol/plimsoll-token',
    configure: (origin) => `receivers:
  hostmetrics:
    collection_interval: 60s
    scrapers:
      { cpu: {}, load: {}, disk: {}, filesystem: {}, network: {}, paging: {}, system: {},
        memory: { metrics: { system.memory.limit: { enabled: true } } } }
processors:
  resource: { attributes: [{ key: host.name, value: web-1, action: upsert }] }
exporters:
  otlphttp: { endpoint: '${origin}', headers: { authorization: 'Bearer \${file:/etc/otelcol/plimsoll-token}' } }
service:
  pipelines: { metrics: { receivers: [hostmetrics], processors: [resource], exporters: [otlphttp] } }`,
  },
};

/** Writes the token to the file without a line end, which would become part of it. */
export const tokenFileCommand = (sender: Sender, token: string): string =>
  `printf %s ${shellWord(token)} | sudo install -D -m 600 /dev/stdin ${SENDER_TEXTS[sender].tokenFile}`;
