/** Usage: node silence-server.ts HOSTNAME MINUTES. Says how near a server is to its load line, and silences its alerts. */
import createClient from 'openapi-fetch';
import type { components, paths } from './plimsoll.d.ts';

const { PLIMSOLL_URL: baseUrl, PLIMSOLL_TOKEN: token } = process.env;
const [hostname, minutes] = process.argv.slice(2);
if (!baseUrl || !token || !hostname || !minutes) {
  console.error('Usage: PLIMSOLL_URL=… PLIMSOLL_TOKEN=… node silence-server.ts HOSTNAME MINUTES');
  process.exit(2);
}
const api = createClient<paths>({
  baseUrl,
  headers: { authorization: `Bearer ${token}` },
  // Lists are one parameter with commas.
  querySerializer: { array: { style: 'form', explode: false } },
});

function refuse({ detail, remedy }: components['schemas']['Error']): never {
  console.error(remedy ? `${detail}. ${remedy}` : detail);
  process.exit(1);
}

const list = await api.GET('/api/servers/list', { params: { query: { names: [hostname] } } });
if (list.error) refuse(list.error);
const [server] = list.data.data.servers;
if (server === undefined) refuse({ success: false, code: 'not_found', detail: `No server is called ${hostname}` });

const { headroom } = server;
if (headroom === null) console.log(`${hostname}: its distance to the line is not known`);
else console.log(`${hostname}: ${headroom.resource} is at ${headroom.value} % of ${headroom.line} %`);

const silence = await api.POST('/api/alerts/silences', {
  body: { server_id: server.id, duration_seconds: Number(minutes) * 60, comment: 'deployment' },
});
if (silence.error) refuse(silence.error);
console.log(`silent until ${silence.data.data.silence.ends_at}`);
