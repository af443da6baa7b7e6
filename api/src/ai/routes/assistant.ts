import { aiHealthAnswer, chatAnswer, chatRequest, type ChatRequest } from '@plimsoll/contract/wire/ai';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { createReadCall } from '../../http/call-route.ts';
import { defineRoute, type Http, type Route, type SignedIn } from '../../http/define-route.ts';
import { requireServer } from '../../servers/require-server.ts';
import { ask, type AskDeps, type Asked } from '../ask.ts';
import { currentSettings, settingsDeps } from '../settings.ts';

const tag = 'Assistant';
/** Shorter than the idle timeouts of the usual proxies: a model may think for long. */
const PING_MS = 15_000;

const askDeps = (deps: Deps): AskDeps => ({ ...deps, settings: settingsDeps(deps) });

const streamed = (http: Http): boolean => (http.req.header('accept') ?? '').includes('text/event-stream');

type AskedHere = Omit<Asked, 'signal' | 'onPart'>;

/** Writes the parts as they arrive, then the checked answer or what failed. The browser's stop ends the question. */
async function stream(out: SSEStreamingApi, deps: AskDeps, asked: AskedHere): Promise<void> {
  const stopped = new AbortController();
  out.onAbort(() => stopped.abort());
  const send = (event: string, data: unknown) => void out.writeSSE({ event, data: JSON.stringify(data) });
  const ping = setInterval(() => void out.write(': waiting\n\n'), PING_MS);
  try {
    const answer = await ask(deps, {
      ...asked,
      signal: stopped.signal,
      onPart: (part) =>
        part.kind === 'text' ? send('text', { text: part.text }) : send('tool', { name: part.name, state: part.state }),
    });
    await out.writeSSE({ event: 'answer', data: JSON.stringify(answer) });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { code, message: detail, remedy = null } = error;
    await out.writeSSE({ event: 'failed', data: JSON.stringify({ code, detail, remedy }) });
  } finally {
    clearInterval(ping);
  }
}

/** `routes`: every call the tools may read. */
export function aiRoutes(deps: Deps, routes: readonly Route[]): Route[] {
  const chat = async ({ actor, body, http }: { actor: SignedIn; body: ChatRequest; http: Http }) => {
    await deps.rates.ai.require(actor.personId, deps.clock.now());
    const { owner, personId } = actor;
    // A foreign server answers like an unknown one, whoever answers the question.
    if (body.server_id != null) await requireServer(deps.storage.servers, owner, body.server_id);
    const asked: AskedHere = { asker: { owner, personId }, request: body, read: createReadCall(routes, actor, http) };
    if (!streamed(http)) return ask(askDeps(deps), { ...asked, signal: http.req.raw.signal, onPart: () => undefined });
    // nginx would hold the events back otherwise.
    http.header('X-Accel-Buffering', 'no');
    return streamSSE(
      http,
      (out) => stream(out, askDeps(deps), asked),
      async (error, out) => {
        deps.log.error({ err: error }, 'an answer of the assistant failed');
        const data = { code: 'internal', detail: 'The answer failed', remedy: 'Ask again.' };
        await out.writeSSE({ event: 'failed', data: JSON.stringify(data) });
      },
    );
  };
  const call = (path: string, summary: string): Route =>
    defineRoute(
      {
        method: 'POST',
        path,
        actor: 'user',
        scope: 'read',
        role: 'viewer',
        summary,
        audit: null,
        notAudited: 'A conversation belongs to one person, and the tools only read.',
        tag,
        body: chatRequest,
        answer: chatAnswer,
      },
      chat,
    );
  return [
    defineRoute(
      {
        method: 'GET',
        path: '/api/ai/health',
        actor: 'user',
        summary: 'Reports whether the AI assistant is available, and who answers',
        tag,
        answer: aiHealthAnswer,
      },
      async ({ actor: { owner } }) => deps.keyChecks.health(await currentSettings(settingsDeps(deps), owner)),
    ),
    call('/api/ai/chat', 'Answers a question about your servers; streams with Accept: text/event-stream'),
    call('/api/ai/simple-chat', 'Answers a question about your servers, as /api/ai/chat does'),
  ];
}
