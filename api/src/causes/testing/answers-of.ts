import { causeAnswer, evidenceAnswer, type CauseAnswer } from '@plimsoll/contract/wire/causes';
import { incidentsAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import type { TestApp, TestUser } from '../../testing/app.ts';
import type { Evidence } from '../evidence.ts';

interface Answered {
  subject: string;
  title: string;
  answer: CauseAnswer;
  evidence: Evidence;
}

/** Returns the open incidents of an account, each with what the API answers about it. */
export async function answersOf(app: TestApp, user: TestUser): Promise<Answered[]> {
  const listed = await app.call('GET', '/api/incidents?state=open', user);
  const { incidents } = incidentsAnswer.parse(listed.json.data);
  return Promise.all(
    incidents.map(async ({ incident_id: id, subject, title }) => {
      const [cause, evidence] = await Promise.all(
        ['cause', 'evidence'].map((part) => app.call('GET', `/api/incidents/${id}/${part}`, user)),
      );
      return {
        subject,
        title,
        answer: causeAnswer.parse(cause?.json.data),
        evidence: evidenceAnswer.parse(evidence?.json.data).evidence as unknown as Evidence,
      };
    }),
  );
}

/** The first cause of each open incident, with its evidence: "web: noisy_process: thumbnailer takes … | …". */
export const causesOf = async (app: TestApp, user: TestUser): Promise<string[]> =>
  (await answersOf(app, user)).map(({ subject, answer: { causes } }) => {
    const [first] = causes;
    const lines = first?.evidence.map(({ text }) => text) ?? [];
    return [`${subject}: ${first === undefined ? 'not found' : `${first.mechanism}: ${first.finding}`}`, ...lines].join(
      ' | ',
    );
  });
