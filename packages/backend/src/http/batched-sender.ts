import type { ServerResponse } from 'node:http';
import { type PlainResponse, sendPlainResponse } from './plain-exchange.ts';

/** Milliseconds that the first response waits for others at most. */
const LONGEST_WAIT_MS = 2;

export type SendResponse = (outgoing: ServerResponse, response: PlainResponse) => void;

/**
 * Returns a function that sends the responses of one iteration of the event loop together at its end. Alternating reads and
 * writes would cost each half as much again: neither finds the processor's caches as it left them, and a peer on the same
 * machine (a proxy) is woken for each single response.
 */
export function createBatchedSender(): SendResponse {
  let waiting: [ServerResponse, PlainResponse][] = [];
  let since = 0;

  function sendAll(): void {
    const together = waiting;
    waiting = [];
    for (const [outgoing, response] of together) sendPlainResponse(outgoing, response);
  }

  return (outgoing, response) => {
    if (waiting.length === 0) {
      since = performance.now();
      setImmediate(sendAll);
    }
    waiting.push([outgoing, response]);
    if (performance.now() - since > LONGEST_WAIT_MS) sendAll();
  };
}
