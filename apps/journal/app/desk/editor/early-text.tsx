import { useLayoutEffect, useRef } from 'react';
import { useParams } from 'react-router';
import type { EarlyWords } from '../../editor/text-editor-props.ts';
import { caretOf, placeCaret, WAITING_CLASS } from '../../editor/waiting-area.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { CONTROL_CLASS } from '../../ui/field.tsx';
import type { DeskPost } from '../desk-client.ts';
import { EARLY_TEXT_ID } from '../early-script.ts';
import type { WorkingCopy } from '../saving/working-copy.ts';

/**
 * Takes words in the place of the desk's text before the page's scripts are there: the server renders it, and the script in the
 * head fills it and opens it. It is out of sight until then. What is written is handed on with its cursor, from one skeleton of
 * the page to the next and to the desk.
 */
export function EarlyText() {
  const { id: postId } = useParams();
  const { m } = useLanguage();
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const text = window.earlyText;
    if (text && text.post.id === postId) {
      const lang = text.post.document.language ?? '';
      Object.assign(element, { readOnly: false, lang, value: text.value });
      placeCaret(element, text.caret);
    }
    return () => {
      const left = window.earlyText;
      if (left && left.post.id === postId) left.caret = caretOf(element);
    };
  }, [postId]);
  return (
    <div className="grid gap-1.5">
      <label htmlFor={EARLY_TEXT_ID} className="justify-self-start text-sm font-medium text-ink">
        {m.publish.contentField.label}
      </label>
      <div className="grid *:col-start-1 *:row-start-1">
        <div className="skeleton" />
        <textarea
          // Another post gets an area of its own, which is closed.
          key={postId}
          ref={area}
          id={EARLY_TEXT_ID}
          rows={14}
          readOnly
          autoComplete="off"
          // The script in the head may have opened it before React comes to it.
          suppressHydrationWarning
          className={`${CONTROL_CLASS} ${WAITING_CLASS} relative read-only:invisible`}
        />
      </div>
    </div>
  );
}

/**
 * Has a working copy that was just made go on with what is written in the early text area: until the desk takes that, it is
 * stored as that copy. Closes the area where the copy is another account's, of another version, or has been written elsewhere
 * too: what was written is among the stored copies then, of which the working copy has the newest.
 */
export function continueEarlyText(authorId: string, post: DeskPost, copy: WorkingCopy): void {
  const text = window.earlyText;
  if (!text) return;
  const { name } = copy.getState().status;
  const isSame = text.authorId === authorId && text.post.id === post.id && text.post.version === post.version;
  if (isSame && (name === 'saved' || (name === 'unsaved' && copy.key === text.key))) text.key = copy.key;
  else forgetEarlyText();
}

/** Returns the function by which the desk takes what is written in the early text area; `undefined` where that is not open. */
export function earlyWordsOf(postId: string | undefined): (() => EarlyWords | undefined) | undefined {
  return window.earlyText?.post.id === postId ? takeEarlyWords : undefined;
}

/** Forgets what the page holds of the early text, and closes its area. The stored copy stays. */
export function forgetEarlyText(): void {
  window.earlyText = undefined;
  const area = document.getElementById(EARLY_TEXT_ID);
  if (area instanceof HTMLTextAreaElement) area.readOnly = true;
}

function takeEarlyWords(): EarlyWords | undefined {
  const text = window.earlyText;
  window.earlyText = undefined;
  return text && { value: text.value, ...(text.caret && { caret: text.caret }) };
}
