/** The real OpenTelemetry Collector, configured as docs/bring-your-agent.md says. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COLLECTOR } from './otelcol/build.ts';
import { MACHINE, testReceiver } from './receiver.ts';

const receiver = testReceiver();

test.each(['proto', 'json'])('the Collector sends host metrics in %s', async (encoding) => {
  const { organisationId, tokenFile } = await receiver.newOwner();
  const file = join(receiver.folder, `${encoding}.yml`);
  const config = receiver
    .documented('OpenTelemetry Collector', tokenFile)
    .replace('60s', '2s')
    .replace('otlphttp: { ', `otlphttp: { encoding: ${encoding}, `)
    // Its own metrics have a fixed port.
    .replace('service:\n', 'service:\n  telemetry: { metrics: { level: none }, logs: { level: error } }\n');
  writeFileSync(file, config);
  receiver.endLater(spawn(COLLECTOR, ['--config', file], { stdio: ['ignore', 'ignore', 'inherit'] }));
  expect(await receiver.reported(organisationId)).toEqual({ ...MACHINE, hostname: 'web-1' });
});
