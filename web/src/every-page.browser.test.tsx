import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { paths } from './paths.ts';
import { drawApp } from './testing/draw-app.tsx';
import { ID } from './testing/every-answer.ts';

const PUBLIC = [paths.landing, paths.login, paths.terms, paths.privacy, `/status/${ID}`];
const PROTECTED = [
  paths.dashboard,
  paths.servers,
  `${paths.servers}?view=table`,
  `${paths.servers}?compare=${ID}`,
  paths.server(ID),
  // What ran then, beside the charts or over a narrow screen.
  `${paths.server(ID)}?hours=24&at=2026-01-31T03:12Z`,
  paths.kubernetes,
  paths.kubernetesNodes,
  `${paths.kubernetesNodes}?view=table`,
  paths.kubernetesNode(ID, 'node-name'),
  paths.kubernetesNamespaces,
  paths.kubernetesWorkloads,
  paths.kubernetesPods,
  `${paths.kubernetesPods}?view=owner`,
  `${paths.kubernetesPods}?pod=${ID}/namespace/pod-name`,
  paths.alerts,
  `${paths.alerts}?alert=${ID}`,
  paths.alertRules,
  paths.alertRule('new'),
  paths.alertSilences,
  paths.alertChannels,
  paths.activity,
  paths.network,
  paths.processes,
  paths.setup,
  `${paths.setup}?on=kubernetes`,
  `${paths.setup}?on=other`,
  paths.profile,
  paths.team,
  paths.join,
  paths.statusPages,
  paths.health,
  paths.aiChat,
];
const WIDTHS = [1440, 390] as const;
/** Rules whose result can differ between the two themes. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** Every finding of any level, with what it is about. */
async function findings(rules?: readonly string[]): Promise<string[]> {
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    ...(rules === undefined ? {} : { runOnly: [...rules] }),
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

const cases = WIDTHS.flatMap((width) => [
  ...PUBLIC.map((path) => ({ path, width, signedIn: false })),
  ...PROTECTED.map((path) => ({ path, width, signedIn: true })),
]);

describe('every page, full of every part it can show', () => {
  it.each(cases)('$path at $width px has no finding in either theme', { timeout: 90_000 }, async (each) => {
    const { settled, unanswered } = await drawApp(each.path, { isSignedIn: each.signedIn, width: each.width });
    await settled();
    const dark = await findings();
    document.documentElement.removeAttribute('data-dark');
    document.documentElement.setAttribute('data-light', '');
    // A colour on its way to the other theme has the contrast of neither.
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
    const light = await findings(OF_COLOUR);
    const sideways = document.documentElement.scrollWidth - window.innerWidth;
    expect({ dark, light, unanswered, sideways: Math.max(0, sideways) }).toEqual({
      dark: [],
      light: [],
      unanswered: [],
      sideways: 0,
    });
  });
});
