import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { WHOLE_VIEW } from '../../state/view.ts';
import { aroundMoment, DATED, inView, momentOf, SCOPED, scopeOf, type Ask } from '../query.ts';

const AT = 1_769_853_600;
const ask = (meta: Ask<string>['meta'], id = 'a'): Ask<string> => ({
  queryKey: ['servers', 'one', id],
  queryFn: (context) => Promise.resolve(JSON.stringify({ ...scopeOf(context), ...momentOf(context) })),
  meta: meta ?? {},
  refetchInterval: 30_000,
});
const then = { scope: 'tag:prod', at: AT };
const fetched = (query: Ask<string>) => new QueryClient().fetchQuery(query);

it('asks for the moment and the scope where the call has them', async () => {
  expect(JSON.parse(await fetched(inView(ask({ ...SCOPED, ...DATED }), then)))).toEqual(then);
  expect(JSON.parse(await fetched(inView(ask(DATED), then)))).toEqual({ at: AT });
  expect(JSON.parse(await fetched(inView(ask({}), then)))).toEqual({});
  expect(JSON.parse(await fetched(inView(aroundMoment(ask(DATED)), then)))).toEqual({});
});

it('does not poll while the page shows the past, whatever the query', () => {
  for (const meta of [{}, SCOPED, DATED]) expect(inView(ask(meta), then).refetchInterval).toBe(false);
  expect(inView(ask(DATED), WHOLE_VIEW).refetchInterval).toBe(30_000);
});

/** Returns what stands on the screen at once when a screen changes from one query to another. */
async function standIn(before: Ask<string>, after: Ask<string>) {
  const client = new QueryClient();
  const observer = new QueryObserver(client, before);
  const stop = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBeDefined());
  observer.setOptions(after);
  const { data, isPlaceholderData } = observer.getCurrentResult();
  stop();
  return isPlaceholderData ? data : undefined;
}

it('keeps the figures of one moment while those of the next are on their way, of the same subject only', async () => {
  const at = (moment: number | null, id?: string) => inView(ask(DATED, id), { scope: '', at: moment });
  await expect(standIn(at(AT), at(AT + 60))).resolves.toBeDefined();
  await expect(standIn(at(null), at(AT))).resolves.toBeDefined();
  await expect(standIn(at(AT), at(AT, 'b'))).resolves.toBeUndefined();
});

it('never shows figures of the past as those of now, nor those of another scope', async () => {
  const list = { ...ask({ ...SCOPED, ...DATED }), placeholderData: (previous: string | undefined) => previous };
  await expect(standIn(inView(list, { scope: '', at: AT }), inView(list, WHOLE_VIEW))).resolves.toBeUndefined();
  await expect(standIn(inView(list, then), inView(list, { scope: 'tag:test', at: AT }))).resolves.toBeUndefined();
  await expect(
    standIn(inView(list, WHOLE_VIEW), inView(list, { scope: 'tag:test', at: null })),
  ).resolves.toBeUndefined();
});
