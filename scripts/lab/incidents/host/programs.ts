import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Machine } from '../../install/machine.ts';

/** The programs of a lab machine: a web server that asks a backend, which reads a data folder. */
export const WEB_PORT = 8080;
const BACKEND_PORT = 9000;
/** The name of the backend, which /etc/hosts leads to this machine. */
export const BACKEND_NAME = 'backend.shop.internal';

const WEB = `
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
const log = (text) => console.error(text);
const { port, backend } = JSON.parse(readFileSync('/etc/web/web.json', 'utf8'));
const held = [];
const server = createServer(async (request, response) => {
  try {
    appendFileSync('/var/log/web/access.log', request.url + '\\n');
    const answer = await fetch('http://' + backend + '/', { signal: AbortSignal.timeout(3000) });
    if (!answer.ok) throw new Error('status ' + answer.status);
    response.end(await answer.text());
  } catch (error) {
    log('<3>web: request failed: ' + (error.cause ?? error).message);
    response.writeHead(502).end('bad gateway');
  }
});
server.on('error', (error) => {
  log('<3>web: ' + error.message);
  process.exit(1);
});
server.listen(port, () => log('<6>web: listening on port ' + port));
`;

const BACKEND = `
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
const held = [];
const server = createServer((request, response) => {
  try {
    response.end(readFileSync('/srv/data/products.json'));
    if (process.env.LEAK === 'files') for (let i = 0; i < 4; i++) held.push(openSync('/etc/hostname'));
  } catch (error) {
    console.error('<3>backend: cannot read products: ' + error.message);
    response.writeHead(500).end();
  }
});
server.on('error', (error) => {
  console.error('<3>backend: ' + error.message);
  process.exit(1);
});
server.listen(${String(BACKEND_PORT)}, '127.0.0.1', () => console.error('<6>backend: listening on port ${String(BACKEND_PORT)}'));
`;

const START = '#!/bin/sh\nexec /usr/local/bin/webd /opt/web/web.mjs\n';

const unit = (description: string, lines: string[]): string => `[Unit]
Description=${description}
StartLimitIntervalSec=30
StartLimitBurst=4

[Service]
${lines.join('\n')}

[Install]
WantedBy=multi-user.target
`;

const FILES: Record<string, string> = {
  '/opt/web/web.mjs': WEB,
  '/opt/web/backend.mjs': BACKEND,
  '/opt/web/start.sh': START,
  '/etc/web/web.json': `${JSON.stringify({ port: WEB_PORT, backend: `${BACKEND_NAME}:${String(BACKEND_PORT)}` })}\n`,
  '/etc/web/web.env': 'MODE=production\n',
  '/etc/systemd/system/web.service': unit('Web server of the shop', [
    'ExecStart=/opt/web/start.sh',
    'EnvironmentFile=/etc/web/web.env',
    'User=webapp',
    'Restart=on-failure',
    'RestartSec=1',
  ]),
  '/etc/systemd/system/backend.service': unit('Backend of the shop', [
    'ExecStart=/usr/local/bin/webd /opt/web/backend.mjs',
  ]),
};

/** Names and content of the files whose changes the collector watches. */
export const AGENT_CONFIG = [
  'watched_files = /etc/web/web.json, /etc/web/web.env, /etc/hosts, /etc/resolv.conf, /etc/passwd',
  'watched_processes = webd',
  '',
].join('\n');

/** Writes a file of the machine from outside. */
export function writeInside(machine: Machine, path: string, text: string): void {
  mkdirSync(machine.path(path.replace(/\/[^/]*$/, '')), { recursive: true });
  writeFileSync(machine.path(path), text);
}

/** Installs the programs as an operator has them, and starts them. */
export async function installPrograms(machine: Machine): Promise<void> {
  for (const [path, text] of Object.entries(FILES)) writeInside(machine, path, text);
  // The runtime under another name, so that process lists look as they would anywhere.
  symlinkSync(process.execPath, machine.path('/usr/local/bin/webd'));
  await machine.sh(`
    chmod +x /opt/web/start.sh
    echo '127.0.0.1 ${BACKEND_NAME}' >> /etc/hosts
    useradd --system --no-create-home --shell /usr/sbin/nologin webapp
    mkdir -p /var/log/web /srv/data && chown webapp /var/log/web
    mount -t tmpfs -o size=8m,mode=0755 products /srv/data
    echo '[{"name":"anchor"}]' > /srv/data/products.json
    systemctl daemon-reload
    systemctl enable --now backend web
  `);
}
