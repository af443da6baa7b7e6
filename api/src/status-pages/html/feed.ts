import { INCIDENT_STATE_WORDS } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { PublicIncident, PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import { escapeLines, escapeText } from './escape-text.ts';

const newest = ({ updates, started_at: startedAt }: PublicIncident): string => updates[0]?.at ?? startedAt;

function entry(incident: PublicIncident, pageUrl: string): string {
  const { id, title, state, affects, updates, started_at: startedAt } = incident;
  const told = updates.map(
    ({ at, state: of, text }) => `${at.slice(0, 16).replace('T', ' ')} UTC. ${INCIDENT_STATE_WORDS[of]}. ${text}`,
  );
  const parts = affects.length === 0 ? [] : [`Affects ${affects.join(', ')}.`];
  return `<entry><id>urn:uuid:${id}</id><title>${escapeText(`${INCIDENT_STATE_WORDS[state]}: ${title}`)}</title><published>${startedAt}</published><updated>${newest(
    incident,
  )}</updated><link rel="alternate" href="${escapeText(pageUrl)}"/><content type="text">${escapeLines([...parts, ...told].join('\n'))}</content></entry>`;
}

/** Returns the incidents of a page as an Atom feed. `id` names the feed for ever. */
export function atomFeed(
  { title, incidents, as_of: asOf }: PublicStatusPage,
  { id, pageUrl, feedUrl }: { id: string; pageUrl: string; feedUrl: string },
): string {
  const updated = incidents.map(newest).toSorted().at(-1) ?? asOf.slice(0, 10).concat('T00:00:00Z');
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${escapeText(`urn:plimsoll:status:${id}`)}</id><title>${escapeText(
    `${title} · Status`,
  )}</title><updated>${updated}</updated><author><name>${escapeText(title)}</name></author><link rel="self" href="${escapeText(
    feedUrl,
  )}"/><link rel="alternate" href="${escapeText(pageUrl)}"/>
${incidents.map((incident) => entry(incident, pageUrl)).join('\n')}
</feed>
`;
}
