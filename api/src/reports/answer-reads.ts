import { serialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { CodedError } from '../errors.ts';
import type { AnyJobs, Reply, Request } from './read-thread.ts';

/** Answers each request of the main thread by the reader of its kind. Runs in a thread that `ReadThread` starts. */
export function answerReads<J extends AnyJobs<J>>(readers: {
  [K in keyof J]: (job: J[K]['job']) => J[K]['result'] | Promise<J[K]['result']>;
}): void {
  const replyTo = async ({ kind, job }: Request<J>): Promise<Reply> => {
    try {
      const { head, items } = await readers[kind](job);
      return { outcome: 'read', head, items: items.map((item) => serialize(item)) };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const { code, message, field, remedy } = error;
      const notes = { ...(field !== undefined && { field }), ...(remedy !== undefined && { remedy }) };
      return { outcome: 'refused', code, message, notes };
    }
  };
  const respond = async (request: Request<J>): Promise<void> => {
    const reply = await replyTo(request);
    const buffers = reply.outcome === 'read' ? reply.items.map(({ buffer }) => buffer as ArrayBuffer) : [];
    parentPort?.postMessage(reply, buffers);
  };
  // `ReadThread` sends the next request after the reply. What is thrown ends the thread.
  parentPort?.on('message', (request: Request<J>) => void respond(request));
}
