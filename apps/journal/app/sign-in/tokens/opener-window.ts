import type { PopupMessage } from '@fabrica/contract';

/** Is the window that opened this one still there? */
export function hasOpener(): boolean {
  return openerWindow() !== undefined;
}

/**
 * Tells the window that opened this one how the sign-in ended, if it still shows a page of `openerOrigin`, and
 * closes this one. False when there is no such window any more: then nobody is told.
 */
export function answerOpener(openerOrigin: string, message: PopupMessage): boolean {
  const opener = openerWindow();
  if (!opener) return false;
  opener.postMessage(message, openerOrigin);
  window.close();
  return true;
}

function openerWindow(): Window | undefined {
  const opener = window.opener as Window | null;
  return opener && !opener.closed ? opener : undefined;
}
