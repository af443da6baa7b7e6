import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { WHOLE_VIEW } from '../../state/view.ts';
import { aroundMoment, inView, MOMENT, NOTHING, SCOPE, SCOPE_AND_MOMENT, type Ask } from '../query.ts';

const AT = 1_769_853_600;
const ask = (follows: Ask<string>['follows'] = NOTHING, id = 'a'): Ask<string> => ({
  queryKey: ['servers', 'one', id],
  queryFn: (_context, view) => Promise.resolve(JSON.stringify(view)),
  follows,
  refetchInterval: 30_000,
});
type Options = ReturnType<typeof inView<string>>;
const then = { scope: 'tag:prod', at: AT };
const fetched = (query: Options) => new QueryClient().fetchQuery(query);

it('asks for the moment and the scope where the call has them', async () => {
  expect(JSON.parse(await fetched(inView(ask(SCOPE_AND_MOMENT), then)))).toEqual(then);
  expect(JSON.parse(await fetched(inView(ask(MOMENT), then)))).toEqual({ at: AT });
  expect(JSON.parse(await fetched(inView(ask(), then)))).toEqual({});
  expect(JSON.parse(await fetched(inView(aroundMoment(ask(MOMENT)), then)))).toEqual({});
});

it('does not poll while the page shows the past, whatever the query', () => {
  for (const follows of [NOTHING, SCOPE, MOMENT]) expect(inView(ask(follows), then).refetchInterval).toBe(false);
  expect(inView(ask(MOMENT), WHOLE_VIEW).refetchInterval).toBe(30_000);
});

/** Returns what stands on the screen at once when a screen changes from one query to another. */
async function standIn(before: Options, after: Options) {
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
  const at = (moment: number | null, id?: string) => inView(ask(MOMENT, id), { scope: '', at: moment });
  await expect(standIn(at(AT), at(AT + 60))).resolves.toBeDefined();
  await expect(standIn(at(null), at(AT))).resolves.toBeDefined();
  await expect(standIn(at(AT), at(AT, 'b'))).resolves.toBeUndefined();
});

it('never shows figures of the past as those of now, nor those of another scope', async () => {
  const list = { ...ask(SCOPE_AND_MOMENT), placeholderData: (previous: string | undefined) => previous };
  await expect(standIn(inView(list, { scope: '', at: AT }), inView(list, WHOLE_VIEW))).resolves.toBeUndefined();
  await expect(standIn(inView(list, then), inView(list, { scope: 'tag:test', at: AT }))).resolves.toBeUndefined();
  await expect(
    standIn(inView(list, WHOLE_VIEW), inView(list, { scope: 'tag:test', at: null })),
  ).resolves.toBeUndefined();
});

it('does not mistake the last filter of a key for the view', async () => {
  const moment = { ...ask(SCOPE), queryKey: ['kubernetes', 'moment', { at: AT, scope: 'tag:prod' }] };
  const list = { ...ask(SCOPE), placeholderData: (previous: string | undefined) => previous };
  await expect(standIn(inView(moment, WHOLE_VIEW), inView(list, WHOLE_VIEW))).resolves.toBeDefined();
});
