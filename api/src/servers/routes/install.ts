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
/** Texts beside a kit: by the end of the path, the end of the file's name. */
const BESIDE = { '.sha256': '.sha256', '.sig': '.sha256.sig' } as const;
const file = z
  .string()
  .regex(/^(linux|darwin)-(x64|arm64)(-musl)?(\.sha256|\.sig)?$/, 'must be like linux-x64, or linux-x64.sha256');

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
      summary:
        'Returns the kit of one platform (tar.gz), with .sha256 its checksum in the format of sha256sum, with .sig the signature of that checksum',
      tag: 'Install',
      params: { version, file },
      answer: null,
    },
    async ({ params, http }) => {
      const [target = '', end] = params.file.split(/(?=\.)/);
      const chosen = params.version === 'latest' ? await newestWith(config.agentDir, target) : params.version;
      const kit = chosen === null ? null : join(config.agentDir, chosen, kitName(chosen, target));
      const served = kit && (isBeside(end) ? await text(kit + BESIDE[end], http) : await archive(kit, http));
      if (served) return served;
      if (kit !== null && end === '.sig')
        throw new CodedError('not_found', `No signature of the collector for ${target} in version ${params.version}`, {
          remedy: 'Serve the kits of a release. Kits that you built yourself have none: install.sh --allow-unsigned.',
        });
      throw new CodedError('not_found', `No collector for ${target} in version ${params.version}`, {
        remedy: 'Build the kits on the machine of the dashboard: npm run build:agent.',
      });
    },
  ),
];

const isBeside = (end: string | undefined): end is keyof typeof BESIDE => end !== undefined && end in BESIDE;

async function text(path: string, http: Http): Promise<Response | null> {
  const found = await readFile(path, 'utf8').catch(() => null);
  return found === null ? null : http.text(found);
}

async function archive(kit: string, http: Http): Promise<Response | null> {
  const found = await stat(kit).catch(() => null);
  if (!found?.isFile()) return null;
  return http.body(Readable.toWeb(createReadStream(kit)) as ReadableStream, 200, {
    'Content-Type': 'application/gzip',
    'Content-Length': String(found.size),
  });
}
