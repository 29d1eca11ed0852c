import type { Context } from 'hono';

const encoder = new TextEncoder();

/** A reader who takes nothing for this many times the timeout of the model counts as disconnected. */
const UNREAD_TIMEOUT_FACTOR = 4;

interface StreamResponseOptions {
  /** Pieces of the body. A failure before the first one is thrown; a later one breaks the connection. */
  pieces: AsyncGenerator<string, unknown, undefined>;
  contentType: string;
  /** Milliseconds that the model may be silent. */
  timeout: number;
  /** Called when the reader disconnects. */
  onDisconnect(): void;
}

/** The part of the Node server’s bindings that is needed to break a connection. */
interface NodeBindings {
  /** Absent for calls within the process. */
  incoming?: { socket: { destroy(): unknown } };
}

/**
 * Returns a response that is sent piece by piece. Each piece is sent once the reader has taken the one before, and no
 * proxy buffers it.
 */
export async function streamResponse(c: Context, options: StreamResponseOptions): Promise<Response> {
  const { pieces, contentType, timeout, onDisconnect } = options;
  const socket = (c.env as NodeBindings | undefined)?.incoming?.socket;
  let next: IteratorResult<string, unknown> | undefined = await pieces.next();
  let isReading = false;
  const abortResponse = (controller: ReadableStreamDefaultController, error: unknown) => {
    clearTimeout(unread);
    // A response without its end shows the reader that it is incomplete. The server would print the error on its
    // console.
    if (socket) socket.destroy();
    else controller.error(error);
  };
  let unread: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        unread = setTimeout(() => {
          if (isReading) return;
          onDisconnect();
          void pieces.return(undefined);
          abortResponse(controller, new Error('The reader takes nothing.'));
        }, UNREAD_TIMEOUT_FACTOR * timeout).unref();
      },
      async pull(controller) {
        isReading = true;
        try {
          const { done, value } = next ?? (await pieces.next());
          next = undefined;
          isReading = false;
          unread?.refresh();
          if (!done) return controller.enqueue(encoder.encode(value));
          clearTimeout(unread);
          controller.close();
        } catch (error) {
          abortResponse(controller, error);
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
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}
