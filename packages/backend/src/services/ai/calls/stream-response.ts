import type { Context } from 'hono';

const encoder = new TextEncoder();

/** A reader who takes nothing for so many times as long as a model may be silent has left without a word. */
const PATIENCE = 4;

export interface StreamResponseOptions {
  /** What is sent, as it comes. A failure before the first piece is thrown, one behind it breaks the connection. */
  pieces: AsyncGenerator<string, unknown, undefined>;
  contentType: string;
  /** Milliseconds that a model may be silent. */
  timeout: number;
  /** Is called when the reader has left. */
  onDisconnect(): void;
}

/** The part of the Node server's bindings that a stream can be broken off by. */
interface NodeBindings {
  /** Absent for calls within the process. */
  incoming?: { socket: { destroy(): unknown } };
}

/** An answer that is sent piece by piece: each when the reader has taken the one before, and held back by nobody on the way. */
export async function streamResponse(c: Context, answer: StreamResponseOptions): Promise<Response> {
  const { pieces, contentType, timeout, onDisconnect } = answer;
  const socket = (c.env as NodeBindings | undefined)?.incoming?.socket;
  let next: IteratorResult<string, unknown> | undefined = await pieces.next();
  let isRead = false;
  const breakOff = (controller: ReadableStreamDefaultController, error: unknown) => {
    clearTimeout(unread);
    // Without its end the reader knows that this was not all. The server would write the error to its console.
    if (socket) socket.destroy();
    else controller.error(error);
  };
  let unread: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        unread = setTimeout(() => {
          if (isRead) return;
          onDisconnect();
          void pieces.return(undefined);
          breakOff(controller, new Error('The reader takes nothing.'));
        }, PATIENCE * timeout).unref();
      },
      async pull(controller) {
        isRead = true;
        try {
          const { done, value } = next ?? (await pieces.next());
          next = undefined;
          isRead = false;
          unread?.refresh();
          if (!done) return controller.enqueue(encoder.encode(value));
          clearTimeout(unread);
          controller.close();
        } catch (error) {
          breakOff(controller, error);
        }
      },
      async cancel() {
        clearTimeout(unread);
        onDisconnect();
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    },
  });
}
