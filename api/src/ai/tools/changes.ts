import { CHANGE_SOURCES } from '@plimsoll/contract/rules/changes';
import { cutText } from '@plimsoll/contract/rules/printable-text';
import { changesAnswer } from '@plimsoll/contract/wire/changes';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { rangeFrom, rangeInput } from './series.ts';
import { chosenServer } from './named-server.ts';
import { MOST_ROWS, tool } from './tool.ts';

const TEXT_CHARACTERS = 200;
const FIELDS = 8;
const cut = (text: string | null): string | null => (text === null ? null : cutText(text, TEXT_CHARACTERS));

export const changeTools: readonly Tool[] = [
  tool({
    name: 'changes',
    description:
      'Lists what changed, newest first: fields of Kubernetes objects, packages, units, mounts and ports of hosts, alert rules and silences, and deployments. Read it first when something broke.',
    input: z.object({
      server: z.string().max(200).optional(),
      namespace: z.string().min(1).max(253).optional(),
      name: z.string().min(1).max(253).optional().describe('name of a workload, Service, node …'),
      source: z.enum(CHANGE_SOURCES).optional(),
      ...rangeInput,
    }),
    async run({ server, namespace, name, source, ...given }, context) {
      const chosen = await chosenServer(context, server);
      const range = rangeFrom(given, context);
      const { changes, total } = await context.read('/api/changes', changesAnswer, {
        query: {
          limit: MOST_ROWS,
          server_id: chosen?.id,
          namespace,
          name,
          source,
          start_date: Math.floor(range.from),
          end_date: Math.ceil(range.to),
        },
      });
      return {
        content: {
          total,
          changes: changes.map(({ fields, title, at, action, kind, by, hostname, ...change }) => ({
            at,
            source: change.source,
            action,
            kind,
            namespace: change.namespace,
            name: cut(change.name),
            cluster: cut(change.cluster_name),
            hostname: cut(hostname),
            by: cut(by),
            title: cut(title),
            fields: fields.slice(0, FIELDS).map(({ field, before, after, hidden }) => ({
              field: cut(field),
              before: cut(before),
              after: cut(after),
              hidden,
            })),
          })),
        },
        sources: [screens.changes(chosen?.id ?? null, range)],
      };
    },
  }),
];
