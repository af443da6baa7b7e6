import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Evidence } from '../evidence.ts';
import { evidenceOf } from './incident-evidence.ts';
import type { Incident } from './incident.ts';

/**
 * Twelve incidents by somebody who had not read the analyser. `fixtures/incidents/NN.json.gz` holds each in the format of
 * `incident.ts`, with the question and the cause under other names.
 */
export interface RecordedIncident {
  file: string;
  title: string;
  evidence: Evidence;
}
type Recording = Omit<Incident, 'ask' | 'cause' | 'mentions'> & { question: Incident['ask'] };

const FOLDER = new URL('../fixtures/incidents/', import.meta.url);

export const recordedIncidents = (): RecordedIncident[] =>
  readdirSync(fileURLToPath(FOLDER))
    .toSorted()
    .map((file) => {
      const recording = JSON.parse(gunzipSync(readFileSync(new URL(file, FOLDER))).toString()) as Recording;
      const { title, question: ask } = recording;
      return { file, title, evidence: evidenceOf({ ...recording, ask, cause: '', mentions: [] }) };
    });
