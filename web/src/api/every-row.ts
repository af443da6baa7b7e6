import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { useView } from '../state/view.ts';
import { inView, useQueryClient, type Ask } from './query.ts';

interface PageOf {
  limit: number;
  offset: number;
}

/** Reads page after page, each as large as the API gives, until all rows are there. */
export async function everyRow<Row>(
  read: (page: PageOf) => Promise<{ rows: readonly Row[]; total: number }>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const { rows, total } = await read({ limit: PAGE_LIMITS.max, offset: all.length });
    all.push(...rows);
    if (rows.length === 0 || all.length >= total) return all;
  }
}

/** Returns a function that fetches every row of a paged list, narrowed like the list on the screen. */
export function useEveryRow<Answer, Row>(
  ask: (page: PageOf) => Ask<Answer>,
  rowsOf: (answer: Answer) => { rows: readonly Row[]; total: number },
): () => Promise<Row[]> {
  const queries = useQueryClient();
  const view = useView();
  return () => everyRow(async (page) => rowsOf(await queries.fetchQuery(inView(ask(page), view))));
}
