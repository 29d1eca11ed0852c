import type { ReactNode } from 'react';
import type { Language } from '../../project/languages.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { toast } from '../ui/toasts.tsx';
import type { DeskMessages } from './load-desk-messages.ts';
import { describeDeskError, describeUnsaved, type UnsavedStatus, useDeskMessages } from './use-desk.ts';

type Write = (messages: DeskMessages, language: Language) => string;

/** Returns a text of the desk for a notice. It follows when the page gets another language while the notice is shown. */
export function deskNoticeText(write: Write): ReactNode {
  return <DeskNoticeText write={write} />;
}

function DeskNoticeText({ write }: { write: Write }): ReactNode {
  return write(useDeskMessages(), useLanguage().language);
}

/** Tells in a notice that something on the desk did not work, and why. */
export function showFailure(error: unknown): void {
  showReason((messages) => describeDeskError(error, messages));
}

/** Tells in a notice why the server does not have what is written. */
export function showUnsaved(status: UnsavedStatus): void {
  showReason((messages) => describeUnsaved(status, messages));
}

/** Tells in a notice that something on the desk did not work, with a reason of its own. */
export function showReason(describe: Write): void {
  toast.error(
    deskNoticeText(({ editor }) => editor.failure),
    { description: deskNoticeText(describe) },
  );
}
