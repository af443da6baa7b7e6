import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message of the request, as the chat completions protocol has it. */
interface ModelMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}
interface ModelRequest {
  path: string;
  authorization: string | undefined;
  model: string;
  messages: ModelMessage[];
  tools: string[];
}

/** The next action of the model. */
export type ModelReply =
  | { kind: 'text'; text: string }
  | { kind: 'tools'; calls: { name: string; input: unknown }[] }
  /** Arguments that are no JSON. */
  | { kind: 'broken-arguments'; name: string }
  | { kind: 'status'; status: number; retryAfter?: string }
  | { kind: 'hang' }
  /** Half a sentence, then the connection ends. */
  | { kind: 'cut' }
  /** Half a sentence, then the stream ends as if it were whole. */
  | { kind: 'cut-cleanly' }
  /** Half a sentence, then the limit of tokens. */
  | { kind: 'full' }
  /** Half a sentence, then an error with this code. */
  | { kind: 'stream-error'; code: string | number };

export interface ModelStandIn {
  /** Base URL for AI_BASE_URL. */
  url: string;
  requests: ModelRequest[];
  /** Requests whose caller went away before the end. */
  readonly stopped: number;
  /** Decides each reply. */
  reply(next: (request: ModelRequest) => ModelReply): void;
  close(): void;
}

const DONE = 'data: [DONE]\n\n';
/** Characters in a fragment: tokens are about as long. */
const FRAGMENT = 7;

const fragments = (text: string): string[] => text.match(new RegExp(`[\\s\\S]{1,${String(FRAGMENT)}}`, 'g')) ?? [];

const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'stand-in', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** Tool calls arrive in fragments, several at once interleaved, as hosted models send them. */
function writeCalls(response: ServerResponse, calls: readonly { name: string; text: string }[]): void {
  for (const [index, { name }] of calls.entries())
    response.write(
      chunk({
        tool_calls: [{ index, id: `call-${String(index)}`, type: 'function', function: { name, arguments: '' } }],
      }),
    );
  const parts = calls.map(({ text }) => fragments(text));
  const longest = Math.max(...parts.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1)
    for (const [index, pieces] of parts.entries()) {
      const piece = pieces[at];
      if (piece !== undefined) response.write(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  response.write(chunk({}, 'tool_calls'));
  response.end(DONE);
}

function answer(response: ServerResponse, reply: ModelReply): void {
  if (reply.kind === 'hang') return;
  if (reply.kind === 'status') {
    const headers = reply.retryAfter === undefined ? {} : { 'retry-after': reply.retryAfter };
    response.writeHead(reply.status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: `refused, key sk-canary-7f3a`, type: 'error' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: '' }));
  if (reply.kind === 'tools') {
    writeCalls(
      response,
      reply.calls.map(({ name, input }) => ({ name, text: JSON.stringify(input) })),
    );
    return;
  }
  if (reply.kind === 'broken-arguments') {
    writeCalls(response, [{ name: reply.name, text: '{"by": ' }]);
    return;
  }
  if (reply.kind === 'cut') {
    response.write(chunk({ content: 'It began with' }), () => response.destroy());
    return;
  }
  if (reply.kind === 'cut-cleanly' || reply.kind === 'full' || reply.kind === 'stream-error') {
    response.write(chunk({ content: 'It began with' }));
    if (reply.kind === 'full') response.write(chunk({}, 'length'));
    if (reply.kind === 'stream-error')
      response.write(`data: ${JSON.stringify({ error: { message: 'sk-canary-7f3a', code: reply.code } })}\n\n`);
    response.end(reply.kind === 'full' ? DONE : '');
    return;
  }
  for (const piece of fragments(reply.text)) response.write(chunk({ content: piece }));
  response.write(chunk({}, 'stop'));
  response.end(DONE);
}

/** A hosted model on loopback: chat completions with streaming, and the list of models. */
export async function modelStandIn(): Promise<ModelStandIn> {
  const requests: ModelRequest[] = [];
  let next: (request: ModelRequest) => ModelReply = () => ({ kind: 'text', text: 'ready' });
  let stopped = 0;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    response.on('close', () => {
      if (!response.writableFinished) stopped += 1;
    });
    incoming.on('data', (bytes: Buffer) => chunks.push(bytes));
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
        model?: string;
        stream?: boolean;
        messages?: ModelMessage[];
        tools?: { function: { name: string } }[];
      };
      const request: ModelRequest = {
        path: incoming.url ?? '',
        authorization: incoming.headers.authorization,
        model: body.model ?? '',
        messages: body.messages ?? [],
        tools: (body.tools ?? []).map((entry) => entry.function.name),
      };
      requests.push(request);
      const reply = next(request);
      if (request.path.endsWith('/models') && reply.kind !== 'status' && reply.kind !== 'hang') {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}');
        return;
      }
      if (body.stream === true || reply.kind !== 'text') {
        answer(response, reply);
        return;
      }
      const message = { role: 'assistant', content: reply.text };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: 'c',
          object: 'chat.completion',
          created: 1,
          model: 'stand-in',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
        }),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    requests,
    get stopped() {
      return stopped;
    },
    reply: (decide) => {
      next = decide;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
