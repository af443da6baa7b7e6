import { serversAnswer, type Server } from '@plimsoll/contract/wire/servers';
import type { ToolContext } from '../types.ts';

interface NamedServer {
  id: string;
  hostname: string;
}
export const named = ({ id, hostname, display_name: given }: Server): NamedServer => ({
  id,
  hostname: given ?? hostname,
});

const MOST_SEARCHED = 100;
/** Names that an error offers. */
const MOST_OFFERED = 5;
const namesOf = ({ id, hostname, display_name: given }: Server): string[] =>
  [id, hostname, given ?? ''].map((name) => name.toLowerCase());
/** "web-10" is no part of "web-100", and "eu" of a tag is no part of a name. */
const isPart = (part: string, server: Server): boolean =>
  namesOf(server).some((name) => {
    const at = name.indexOf(part.toLowerCase());
    const around = [name[at - 1] ?? '-', name[at + part.length] ?? '-'];
    return at >= 0 && around.every((sign) => !/[\p{L}\p{N}]/u.test(sign));
  });
/** "web1" and "web_1" are near "web-1". */
const bare = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(/0+(?=\d)/g, '');

/** Searches for a name that no server has in full. Throws an error that names the servers that are near. */
async function findBySearch({ read }: ToolContext, name: string): Promise<NamedServer> {
  const list = async (search: string): Promise<Server[]> => {
    const query = { search: search.slice(0, 200), limit: MOST_SEARCHED };
    return (await read('/api/servers/list', serversAnswer, { query })).servers;
  };
  const found = await list(name);
  const [only] = found;
  const exact = found.find((server) => namesOf(server).includes(name.toLowerCase()));
  if (exact !== undefined) return named(exact);
  if (only !== undefined && found.length === 1 && isPart(name, only)) return named(only);
  // The letters before the first sign or digit: "web" of "web1".
  const stem = /^\p{L}+/u.exec(name)?.[0] ?? '';
  const near = found.length > 0 ? found : stem === '' ? [] : await list(stem);
  const offered = near.filter((server) => found.length > 0 || namesOf(server).some((one) => bare(one) === bare(name)));
  throw new NoServerError(name, offered.map((server) => named(server).hostname).slice(0, MOST_OFFERED), found.length);
}

/** No server has a name, or several have it as a part of theirs. */
class NoServerError extends Error {
  override readonly name = 'NoServerError';
  constructor(asked: string, near: readonly string[], matching: number) {
    const names = near.map((one) => `"${one}"`).join(', ');
    super(
      matching > 1
        ? `There is no server "${asked}", but ${String(matching)} servers have these words: ${names}${matching > near.length ? ' …' : ''}. Give the whole name.`
        : `There is no server "${asked}".${near.length === 0 ? '' : ` Near: ${names}.`} Call list_servers for the names.`,
    );
  }
}

/**
 * Finds servers in the order of their names: by whole names in one call, and by a search only for a name that no server
 * has. Throws an error that the model can act on.
 */
export async function requireAllNamed(context: ToolContext, names: readonly string[]): Promise<NamedServer[]> {
  const { servers } = await context.read('/api/servers/list', serversAnswer, { query: { names: names.join(',') } });
  return Promise.all(
    names.map(async (name) => {
      const exact = servers.find(({ id, hostname, display_name: given }) => [id, hostname, given].includes(name));
      return exact === undefined ? findBySearch(context, name) : named(exact);
    }),
  );
}

/** Throws an error that the model can act on. */
export async function requireNamed(context: ToolContext, name: string): Promise<NamedServer> {
  const [found] = await requireAllNamed(context, [name]);
  if (found === undefined) throw new TypeError('one name is one server');
  return found;
}

/** The server of a name, else that of the screen, else null for the whole fleet. */
export async function chosenServer(
  context: ToolContext,
  name: string | undefined,
): Promise<{ id: string; hostname: string } | null> {
  if (name !== undefined && name !== '') return requireNamed(context, name);
  return context.serverId === null ? null : requireNamed(context, context.serverId);
}
