import {
  IMPACT_WORDS,
  INCIDENT_STATE_WORDS,
  PART_STATE_WORDS,
  type IncidentImpact,
  type PublicPageState,
  type PublicPartState,
} from '@plimsoll/contract/rules/checks/status-page-limits';
import type { PublicIncident, PublicPart, PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import { cutText } from '@plimsoll/contract/rules/printable-text';
import { datesTo, dayBars, type Calendar } from './day-bars.ts';
import { escapeLines, escapeText } from './escape-text.ts';
import { headline, summary } from './headline.ts';
import { STYLE } from './style.ts';
import { dayWords, lengthWords, periodWords, timeWords } from './time-words.ts';

/** Readers without JavaScript see the newest state after this long. */
const REFRESH_SECONDS = 60;
/** Past incidents that the page lists; its feed has more. */
const PAST_INCIDENTS = 10;

/** Each state has a shape of its own beside its colour. */
const SHAPES: Record<PublicPartState | 'none', string> = {
  offline: '<path d="M6 1l5.5 10h-11z" fill="currentColor"/>',
  partly_offline: '<path d="M6 1l5.5 10h-11z" fill="currentColor"/>',
  over_line: '<path d="M6 1.2 10.8 6 6 10.8 1.2 6z" fill="none" stroke="currentColor" stroke-width="1.6"/>',
  maintenance:
    '<circle cx="6" cy="6" r="4.9" fill="none" stroke="currentColor" stroke-width="1.4"/><path d="M6 3.2V6l2 1.4" fill="none" stroke="currentColor" stroke-width="1.2"/>',
  operational: '<circle cx="6" cy="6" r="4" fill="currentColor"/>',
  not_reporting:
    '<circle cx="6" cy="6" r="4.4" fill="none" stroke="currentColor" stroke-width="1.4" stroke-dasharray="2.4 2"/>',
  none: '<circle cx="6" cy="6" r="4.4" fill="none" stroke="currentColor" stroke-width="1.4"/>',
};
const SYMBOLS = `<svg width="0" height="0" aria-hidden="true"><defs>${Object.entries(SHAPES)
  .map(([name, shape]) => `<symbol id="g-${name}" viewBox="0 0 12 12">${shape}</symbol>`)
  .join('')}</defs></svg>`;
const glyph = (state: PublicPartState | IncidentImpact): string =>
  `<svg class="g g-${state}" aria-hidden="true"><use href="#g-${state}"/></svg>`;

const PAGE_GLYPH: Record<PublicPageState, PublicPartState> = {
  outage: 'offline',
  degraded: 'over_line',
  maintenance: 'maintenance',
  operational: 'operational',
  unknown: 'not_reporting',
};

const seconds = (from: string, to: string): number => Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
const time = (iso: string, now: string): string => `<time datetime="${iso}">${timeWords(iso, now)}</time>`;

const FIGURES = [
  ['Processor', 'cpu'],
  ['Memory', 'memory'],
  ['Storage', 'disk'],
] as const;

function figures({ figures: shown }: PublicPart): string {
  if (shown === null) return '';
  const words = FIGURES.map(([name, key]) => {
    const { value, line } = shown[key];
    return `<span>${name} ${value === null ? 'N/A' : `${String(value)} %`}, line at ${String(line)} %</span>`;
  });
  return `<p class="figures">${words.join('')}</p>`;
}

function availability(part: PublicPart): string {
  const { availability: share, unknown_seconds: unknown } = part;
  const value = share === null ? 'N/A' : `${share.toFixed(2)} <i>%</i>`;
  const note = unknown < 60 ? '' : `<small>${lengthWords(unknown)} not known</small>`;
  return `<span class="pct">${value}${note}</span>`;
}

function partRow(part: PublicPart, calendar: Calendar): string {
  const { now, dates } = calendar;
  const oldest = dates[0] ?? '';
  const { since, state } = part;
  const note = since === null ? 'no data yet' : since > oldest ? `since ${dayWords(since, now)}` : '';
  const last =
    state === 'offline' && part.reported_at !== null
      ? `<small>last seen ${timeWords(part.reported_at, now)}</small>`
      : '';
  return `<li class="part"><b>${escapeText(part.name)}${note === '' ? '' : `<small>${note}</small>`}${last}</b>${dayBars(
    part.name,
    part,
    calendar,
  )}${availability(part)}<span class="state s-${state}">${glyph(state)}${PART_STATE_WORDS[state]}</span>${figures(part)}</li>`;
}

function groups({ parts, as_of: now }: PublicStatusPage): string {
  const calendar = { now, dates: datesTo(now) };
  return [...Map.groupBy(parts, ({ group }) => group)]
    .map(([group, members]) => {
      const count = members.length === 1 ? '1 part' : `${String(members.length)} parts`;
      const rows = members.map((part) => partRow(part, calendar)).join('\n');
      const title = group === null ? 'Parts' : escapeText(group);
      return `<section class="panel"><header><h2>${title} <small>${count}</small></h2></header><ul class="rows">${rows}</ul></section>`;
    })
    .join('\n');
}

const updates = ({ updates: told }: PublicIncident, now: string): string =>
  `<ol class="updates">${told
    .map(
      ({ at, state, text }) =>
        `<li>${time(at, now)}<p><b>${INCIDENT_STATE_WORDS[state]}.</b> ${escapeLines(text)}</p></li>`,
    )
    .join('')}</ol>`;

function openIncident(incident: PublicIncident, now: string): string {
  const { impact, title, affects, started_at: since } = incident;
  const facts = [
    `Since ${timeWords(since, now)}, ${lengthWords(seconds(since, now))}`,
    ...(affects.length === 0 ? [] : [`affects ${affects.map(escapeText).join(', ')}`]),
  ];
  return `<article class="panel open"><header><h3>${glyph(impact)}${escapeText(title)}</h3><span class="chip s-${impact}">${
    IMPACT_WORDS[impact]
  }</span></header><p class="sub">${facts.join(' · ')}</p>${updates(incident, now)}</article>`;
}

function pastIncident(incident: PublicIncident, now: string): string {
  const { started_at: from, resolved_at: to, title, updates: told } = incident;
  const length = to === null ? '' : ` for ${lengthWords(seconds(from, to))}`;
  const earlier = told.slice(1);
  const more =
    earlier.length === 0
      ? ''
      : `<details><summary>Earlier updates</summary>${updates({ ...incident, updates: earlier }, now)}</details>`;
  const today = from.slice(0, 10) === now.slice(0, 10) ? 'Today ' : '';
  return `<li><span>${today}${time(from, now)}</span><div><b>${escapeText(title)}</b>${length}<p>${escapeLines(told[0]?.text ?? '')}</p>${more}</div></li>`;
}

function planned({ maintenance, as_of: now }: PublicStatusPage): string {
  if (maintenance.length === 0) return '';
  const rows = maintenance.map(
    ({ affects, starts_at: from, ends_at: to }) =>
      `<li>${glyph('maintenance')}<b>Maintenance of ${affects.map(escapeText).join(', ')}</b><p>${periodWords(from, to, now)}</p></li>`,
  );
  return `<section class="panel"><header><h2>Planned</h2></header><ul class="rows plan">${rows.join('')}</ul></section>`;
}

function past({ incidents, as_of: now }: PublicStatusPage, links: PageLinks): string {
  const ended = incidents.filter(({ resolved_at: at }) => at !== null).slice(0, PAST_INCIDENTS);
  const rows = ended.map((incident) => pastIncident(incident, now)).join('');
  const body =
    rows === ''
      ? '<p class="figures">No incident has been announced and resolved here.</p>'
      : `<ul class="rows past">${rows}</ul>`;
  return `<section class="panel"><header><h2>Past incidents</h2><span><a href="${links.feed}">Feed</a> · <a href="${links.json}">JSON</a></span></header>${body}</section>`;
}

const bar = (kind: string, y: number, extra = ''): string =>
  `<svg class="bars" viewBox="0 0 10 31" aria-hidden="true"><path class="b-${kind}" d="M3 ${String(y)}h3"/><path class="line" d="M0 7h10"/>${extra}</svg>`;
const LEGEND = `<div class="legend"><span>Each bar is a day, 90 days to today</span><div><span>${bar(
  'normal',
  15.5,
)}below the line: normal</span><span>${bar('short', 13.5, '<path class="m-short" d="M4.5 23.6l3 3-3 3-3-3z"/>')}on it: down below 10 min</span><span>${bar(
  'down',
  10.5,
  '<path class="m-down" d="M4.5 24l3.2 5.6h-6.4z"/>',
)}above it: down</span><span>${bar('unknown', 17)}grey: not known</span></div></div>`;

export interface PageLinks {
  feed: string;
  json: string;
}

const MARK =
  '<svg width="14" height="14" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.6" aria-hidden="true"><path d="M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14Z M1 12h22"/></svg>';

const documentOf = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}<link rel="icon" href="/favicon.svg"><style>${STYLE}</style></head><body>${body}</body></html>`;

/** Returns the page as HTML that needs no script. */
export function pageHtml(
  page: PublicStatusPage,
  { links, isIndexable }: { links: PageLinks; isIndexable: boolean },
): string {
  const { as_of: now } = page;
  const title = escapeText(page.title);
  const letter = escapeText(cutText(page.title, 1).toUpperCase());
  const sentence = headline(page);
  const more = summary(page);
  const open = page.incidents.filter(({ resolved_at: at }) => at === null);
  const head = `<title>${title} · Status</title><meta http-equiv="refresh" content="${String(REFRESH_SECONDS)}">${
    isIndexable ? '' : '<meta name="robots" content="noindex, nofollow">'
  }<link rel="alternate" type="application/atom+xml" title="${title}: incidents" href="${links.feed}">`;
  const body = `${SYMBOLS}<header class="top"><span class="logo" aria-hidden="true">${letter}</span>${title} <small>status</small><span class="now"><small>checked at <time datetime="${now}">${now.slice(11, 19)}</time> UTC</small><a class="btn" href="${links.feed}">Get updates</a></span></header>
<main><div class="head">${glyph(PAGE_GLYPH[page.state])}<h1>${escapeText(sentence)}</h1>${more === '' ? '' : `<p>${escapeText(more)}</p>`}</div>
${page.message === '' ? '' : `<p class="note">${escapeLines(page.message)}</p>`}${open.map((incident) => openIncident(incident, now)).join('\n')}
${page.parts.length === 0 ? '' : LEGEND}${groups(page)}
${planned(page)}${past(page, links)}</main>
<footer class="foot"><span>All times UTC</span><span>${MARK} Plimsoll</span></footer>`;
  return documentOf(head, body);
}

/** The same words for an unknown address and for a page that is not public any more. */
export const NOT_FOUND_HTML = documentOf(
  '<title>Status</title><meta name="robots" content="noindex, nofollow">',
  `<main><div class="head"><span></span><h1>Status page not found</h1><p>No page is published at this address. The link is mistyped, or its owner ended it.</p></div></main>`,
);
