import { serialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { CodedError } from '../errors.ts';
import type { AnyJobs, Reply, Request } from './read-thread.ts';

/** Answers each request of the main thread by the reader of its kind. Runs in a thread that `ReadThread` starts. */
export function answerReads<J extends AnyJobs<J>>(readers: {
  [K in keyof J]: (job: J[K]['job']) => J[K]['result'];
}): void {
  const replyTo = ({ kind, job }: Request<J>): Reply => {
    try {
      const { head, items } = readers[kind](job);
      return { outcome: 'read', head, items: items.map((item) => serialize(item)) };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const { code, message, field, remedy } = error;
      const notes = { ...(field !== undefined && { field }), ...(remedy !== undefined && { remedy }) };
      return { outcome: 'refused', code, message, notes };
    }
  };
  parentPort?.on('message', (request: Request<J>) => {
    const reply = replyTo(request);
    const buffers = reply.outcome === 'read' ? reply.items.map(({ buffer }) => buffer as ArrayBuffer) : [];
    parentPort?.postMessage(reply, buffers);
  });
}
