import type { Deps } from '../deps.ts';
import { defineRoute, type Route, type Shape } from './define-route.ts';

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);

const names = (shape: Shape | undefined): string => Object.keys(shape ?? {}).join(', ');
const WHO = {
  anyone: 'anyone',
  user: 'session or permanent token',
  agent: 'agent token',
  reporter: 'agent token',
  cluster: 'cluster token',
  enrolment: 'enrolment token in the body',
} as const;

function rowOf({ spec }: Route): string {
  const cells = [
    `<code>${spec.method} ${escape(spec.path.replace(/:(\w+)/g, '{$1}'))}</code>`,
    escape(spec.summary),
    WHO[spec.actor],
    escape(names(spec.query)),
    spec.body ? 'JSON' : '',
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

/** The page for people beside /openapi.json: no script, no style, no address but our own. */
function pageOf(routes: readonly Route[]): string {
  const tags = [...new Set(routes.map(({ spec }) => spec.tag))].toSorted();
  const sections = tags.map((tag) => {
    const rows = routes.filter(({ spec }) => spec.tag === tag).map(rowOf);
    const head = '<tr><th>Call</th><th>Purpose</th><th>Authentication</th><th>Query</th><th>Body</th></tr>';
    return `<h2>${escape(tag)}</h2><table border="1" cellpadding="4">${head}${rows.join('')}</table>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plimsoll API</title></head><body>
<h1>Plimsoll API</h1>
<p>The whole description, for machines: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>
<p>Answers are <code>{"success": true, "data": …}</code>, errors <code>{"success": false, "detail", "code"}</code> with
the field at fault and a remedy where there is one. GB and MB are 2<sup>30</sup> and 2<sup>20</sup> bytes; times are
UTC; dates are ISO 8601 with a zone or epoch seconds.</p>
<p>Authenticate with <code>Authorization: Bearer TOKEN</code>; a permanent token is made on the Profile page.</p>
${sections.join('\n')}
</body></html>`;
}

export const docsRoute = (_deps: Deps, routes: readonly Route[]): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/docs',
      actor: 'anyone',
      summary: 'Returns this list of endpoints as a page',
      tag: 'Operations',
      answer: null,
    },
    ({ http }) => Promise.resolve(http.html(pageOf(routes))),
  );
