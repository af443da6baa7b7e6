import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { defineRoute, type Http, type Route } from '../../http/define-route.ts';
import { kitName, newestWith } from '../kits.ts';

const version = z.string().regex(/^(latest|\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?)$/, 'must be like 1.2.3, or "latest"');
const SUM = '.sha256';
const file = z
  .string()
  .regex(/^(linux|darwin)-(x64|arm64)(-musl)?(\.sha256)?$/, 'must be like linux-x64, or linux-x64.sha256');

/** Serves the installer files: the script, the kits of `npm run build:agent` with their SHA-256 sums, the chart. */
export const installRoutes = ({ config }: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/install.sh',
      actor: 'anyone',
      summary: 'Returns the script that installs, updates and removes the collector',
      tag: 'Install',
      answer: null,
    },
    async ({ http }) =>
      http.body(await readFile(config.installScript, 'utf8'), 200, {
        'Content-Type': 'text/x-shellscript; charset=utf-8',
      }),
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/charts/plimsoll.tgz',
      actor: 'anyone',
      summary: 'Returns the Helm chart for the command of the Setup page',
      tag: 'Install',
      answer: null,
    },
    async ({ http }) => {
      const served = await archive(config.chartFile, http);
      if (served) return served;
      throw new CodedError('not_found', 'The chart is not packaged here', {
        remedy: 'Package it on the machine of the dashboard: npm run build.',
      });
    },
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/agent/:version/:file',
      actor: 'anyone',
      summary: 'Returns the kit of one platform (tar.gz) or, with .sha256, its checksum in the format of sha256sum',
      tag: 'Install',
      params: { version, file },
      answer: null,
    },
    async ({ params, http }) => {
      const target = params.file.replace(SUM, '');
      const chosen = params.version === 'latest' ? await newestWith(config.agentDir, target) : params.version;
      const kit = chosen === null ? null : join(config.agentDir, chosen, kitName(chosen, target));
      const served = kit && (params.file.endsWith(SUM) ? await checksum(kit, http) : await archive(kit, http));
      if (served) return served;
      throw new CodedError('not_found', `No collector for ${target} in version ${params.version}`, {
        remedy: 'Build the kits on the machine of the dashboard: npm run build:agent.',
      });
    },
  ),
];

async function checksum(kit: string, http: Http): Promise<Response | null> {
  const text = await readFile(kit + SUM, 'utf8').catch(() => null);
  return text === null ? null : http.text(text);
}

async function archive(kit: string, http: Http): Promise<Response | null> {
  const found = await stat(kit).catch(() => null);
  if (!found?.isFile()) return null;
  return http.body(Readable.toWeb(createReadStream(kit)) as ReadableStream, 200, {
    'Content-Type': 'application/gzip',
    'Content-Length': String(found.size),
  });
}
