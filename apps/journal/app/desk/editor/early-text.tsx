import { useLayoutEffect, useRef } from 'react';
import { useParams } from 'react-router';
import type { EarlyWords } from '../../editor/text-editor-props.ts';
import { caretOf, placeCaret, WAITING_CLASS } from '../../editor/waiting-area.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { CONTROL_CLASS } from '../../ui/field.tsx';
import { EARLY_TEXT_ID } from '../early-script.ts';

/** Holds what stood in the text area when it went, until the next one or the desk takes it. */
let kept: { postId: string | undefined; lang: string; words: EarlyWords } | undefined;

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
    const earlier = take(postId);
    if (earlier) {
      const { words, lang } = earlier;
      Object.assign(element, { readOnly: false, lang, value: words.value });
      placeCaret(element, words.caret);
    }
    return () => {
      if (element.readOnly) return;
      const { value, lang } = element;
      const caret = caretOf(element);
      kept = { postId, lang, words: { value, ...(caret && { caret }) } };
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

/** Returns a function that takes what is written in the early text area, once that is gone; `undefined` where there is none. */
export function earlyWordsOf(postId: string | undefined): (() => EarlyWords | undefined) | undefined {
  const area = document.getElementById(EARLY_TEXT_ID);
  return area?.matches(':read-write') ? () => take(postId)?.words : undefined;
}

function take(postId: string | undefined): typeof kept {
  const taken = kept;
  kept = undefined;
  return taken?.postId === postId ? taken : undefined;
}
