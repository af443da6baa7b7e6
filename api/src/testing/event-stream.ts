import { createApp } from '../app.ts';
import type { TestApp } from './app.ts';

/** Opens GET /api/events as a browser does, with the cookie alone, and reads event by event. */
export async function openEvents(app: TestApp, cookie: string) {
  const response = await createApp(app.deps).request('/api/events', { headers: { cookie: `auth_token=${cookie}` } });
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    /** All there was, once `part` is in it or the stream has ended. */
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += value;
      }
      return text;
    },
  };
}
