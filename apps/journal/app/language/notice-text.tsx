import type { ReactNode } from 'react';
import { type LanguageState, useLanguage } from './language-provider.tsx';

/** Writes a text in a language; undefined for none. */
export type WriteText = (reader: Pick<LanguageState, 'm' | 'language'>) => ReactNode;

/**
 * Returns a text for a notice, which may be shown longer than the component that tells it. The text follows when the page gets
 * another language meanwhile.
 */
export function noticeText(write: WriteText): ReactNode {
  return <NoticeText write={write} />;
}

function NoticeText({ write }: { write: WriteText }): ReactNode {
  return write(useLanguage());
}
