import type { PopupMessage } from '@fabrica/contract';

/** Returns the window that opened this one; undefined when there is none or it was closed. */
function openerWindow(): Window | undefined {
  const opener = window.opener as Window | null;
  return opener && !opener.closed ? opener : undefined;
}

export function hasOpener(): boolean {
  return openerWindow() !== undefined;
}

/**
 * Posts the result of the sign-in to the window that opened this one and closes this one. The browser delivers the
 * message only while the opener shows a page of `openerOrigin`. Returns false when there is no such window any more.
 */
export function postToOpener(openerOrigin: string, message: PopupMessage): boolean {
  const opener = openerWindow();
  if (!opener) return false;
  opener.postMessage(message, openerOrigin);
  window.close();
  return true;
}
