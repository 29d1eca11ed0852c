import { POPUP_CLOSED_CHECK_MS, type PopupMessage } from '@fabrica/contract';

/** Returns the window that opened this one; undefined when there is none or it was closed. */
function openerWindow(): Window | undefined {
  const opener = window.opener as Window | null;
  return opener && !opener.closed ? opener : undefined;
}

export function hasOpener(): boolean {
  return openerWindow() !== undefined;
}

/**
 * Posts the result of the sign-in to the window that opened this one. The browser delivers the message only while the
 * opener shows a page of `openerOrigin`. Clients close this window when they have read it; for others it closes itself a
 * second later, because a client that finds it closed before its message counts the sign-in as cancelled. Resolves then, in
 * a window that stays open all the same; at once to false when there is no window that opened this one any more.
 */
export async function postToOpener(openerOrigin: string, message: PopupMessage): Promise<boolean> {
  const opener = openerWindow();
  if (!opener) return false;
  opener.postMessage(message, openerOrigin);
  await new Promise((resolve) => setTimeout(resolve, POPUP_CLOSED_CHECK_MS));
  window.close();
  return true;
}
