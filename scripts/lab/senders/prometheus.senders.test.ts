/** The real senders, configured as docs/bring-your-agent.md says, until the server has figures that need two samples. */
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../../../api/src/testing/debian-programs.ts';
import { freePort } from '../../../api/src/testing/free-port.ts';
import { startPrometheus } from '../../../api/src/testing/prometheus.ts';
import { MACHINE, testReceiver } from './receiver.ts';

const receiver = testReceiver();
let exporter: string;

beforeAll(async () => {
  exporter = `127.0.0.1:${String(await freePort())}`;
  const args = ['--no-collector.systemd', '--no-collector.textfile', '--log.level=error'];
  receiver.endLater(startProgram('node-exporter', [`--web.listen-address=${exporter}`, ...args]));
});

const scrapeConfigs = (): string => `
scrape_configs:
  - job_name: node
    scrape_interval: 2s
    static_configs: [{ targets: ['${exporter}'] }]
`;

test('Prometheus sends node_exporter', async () => {
  const { organisationId, tokenFile } = await receiver.newOwner();
  const prometheus = await startPrometheus(`${receiver.documented('Prometheus', tokenFile)}\n${scrapeConfigs()}`);
  onTestFinished(() => prometheus.stop());
  expect(await receiver.reported(organisationId)).toEqual({ ...MACHINE, hostname: hostname() });
});

test('vmagent sends node_exporter', async () => {
  const { organisationId, tokenFile } = await receiver.newOwner();
  const file = join(receiver.folder, 'vmagent.yml');
  writeFileSync(file, scrapeConfigs());
  const [, ...args] = receiver
    .documented('vmagent', tokenFile)
    .replace('prometheus.yml', file)
    .split(/[\s\\]+/)
    .filter((word) => word !== '');
  const own = [
    `-httpListenAddr=127.0.0.1:${String(await freePort())}`,
    `-remoteWrite.tmpDataPath=${receiver.folder}/vm`,
  ];
  receiver.endLater(startProgram('vmagent', [...args, ...own, '-loggerLevel=ERROR']));
  expect(await receiver.reported(organisationId)).toEqual({ ...MACHINE, hostname: hostname() });
});
