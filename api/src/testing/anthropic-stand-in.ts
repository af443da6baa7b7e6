import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to `POST /v1/messages`. */
interface MessagesRequest {
  apiKey: string | undefined;
  version: string | undefined;
  model: string;
  system: unknown;
  messages: { role: string; content: unknown }[];
  tools: string[];
}

/** The next action of the model. */
type AnthropicReply =
  | { kind: 'text'; text: string }
  | { kind: 'tools'; calls: { name: string; input: unknown }[] }
  | { kind: 'status'; status: number };

export interface AnthropicStandIn {
  /** Base URL for AI_BASE_URL. */
  url: string;
  requests: MessagesRequest[];
  /** Decides each reply. */
  reply(next: (request: MessagesRequest) => AnthropicReply): void;
  close(): void;
}

const FRAGMENT = /[\s\S]{1,9}/g;

const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

function writeBlock(response: ServerResponse, index: number, block: object, deltas: readonly object[]): void {
  response.write(event('content_block_start', { index, content_block: block }));
  for (const delta of deltas) response.write(event('content_block_delta', { index, delta }));
  response.write(event('content_block_stop', { index }));
}

function stream(response: ServerResponse, model: string, reply: Exclude<AnthropicReply, { kind: 'status' }>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model, stop_reason: null };
  response.write(
    event('message_start', {
      message: { ...message, usage: { input_tokens: 1, output_tokens: 1 }, stop_sequence: null },
    }),
  );
  response.write(event('ping', {}));
  if (reply.kind === 'text') {
    const deltas = (reply.text.match(FRAGMENT) ?? []).map((text) => ({ type: 'text_delta', text }));
    writeBlock(response, 0, { type: 'text', text: '' }, deltas);
  } else
    for (const [index, { name, input }] of reply.calls.entries()) {
      const block = { type: 'tool_use', id: `toolu_${String(index)}`, name, input: {} };
      const parts = JSON.stringify(input).match(FRAGMENT) ?? [];
      const deltas = parts.map((part) => ({ type: 'input_json_delta', partial_json: part }));
      writeBlock(response, index, block, deltas);
    }
  const reason = reply.kind === 'text' ? 'end_turn' : 'tool_use';
  const end = { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 9 } };
  response.write(event('message_delta', end));
  response.end(event('message_stop', {}));
}

/** Anthropic's API on loopback: messages with streaming and tool use, and the list of models. */
export async function anthropicStandIn(): Promise<AnthropicStandIn> {
  const requests: MessagesRequest[] = [];
  let next: (request: MessagesRequest) => AnthropicReply = () => ({ kind: 'text', text: 'ready' });
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (bytes: Buffer) => chunks.push(bytes));
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
        model?: string;
        system?: unknown;
        messages?: MessagesRequest['messages'];
        tools?: { name: string }[];
      };
      const { 'x-api-key': apiKey, 'anthropic-version': version } = incoming.headers;
      const request: MessagesRequest = {
        apiKey: String(apiKey),
        version: String(version),
        model: body.model ?? '',
        system: body.system,
        messages: body.messages ?? [],
        tools: (body.tools ?? []).map(({ name }) => name),
      };
      requests.push(request);
      const reply = next(request);
      if (reply.kind === 'status') {
        response.writeHead(reply.status, { 'content-type': 'application/json', 'retry-after': '0' });
        response.end(
          JSON.stringify({ type: 'error', error: { type: 'error', message: 'refused, key sk-canary-7f3a' } }),
        );
      } else if (incoming.url?.endsWith('/models') === true)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"has_more":false}');
      else stream(response, request.model, reply);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    requests,
    reply: (decide) => {
      next = decide;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
