import type { ServerResponse } from 'node:http';
import { type PlainResponse, sendPlainResponse } from './plain-exchange.ts';

/** The first of them waits no longer for the others, save for the one that is being worked on. */
const LONGEST_WAIT_MS = 2;

export type SendResponse = (outgoing: ServerResponse, answer: PlainResponse) => void;

/**
 * Sends the answers of one turn of the event loop one after the other at its end. Reading and sending by turns would
 * cost each of them half as much again: neither finds the processor's caches as it left them, and a peer on the same
 * machine (a proxy) is woken for each single answer.
 */
export function createBatchedSender(): SendResponse {
  let waiting: [ServerResponse, PlainResponse][] = [];
  let since = 0;

  function sendAll(): void {
    const together = waiting;
    waiting = [];
    for (const [outgoing, answer] of together) sendPlainResponse(outgoing, answer);
  }

  return (outgoing, answer) => {
    if (waiting.length === 0) {
      since = performance.now();
      setImmediate(sendAll);
    }
    waiting.push([outgoing, answer]);
    if (performance.now() - since > LONGEST_WAIT_MS) sendAll();
  };
}
