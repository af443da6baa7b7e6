import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Objects of a real cluster, Kubernetes 1.34.4 with two nodes: collector/fixtures/kubernetes/NAME.json. */
export const captured = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../../fixtures/kubernetes/${name}.json`), 'utf8'));

export interface CapturedObject {
  kind: string;
  metadata: { name: string; [field: string]: unknown };
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
}
export const capturedList = (name: string): CapturedObject[] => (captured(name) as { items: CapturedObject[] }).items;

/** The first object of a captured list whose name begins so, as a copy that a test may change. */
export function capturedObject(list: string, start: string): CapturedObject {
  const found = capturedList(list).find(({ metadata }) => metadata.name.startsWith(start));
  if (!found) throw new Error(`no captured ${list} ${start}`);
  return found;
}
