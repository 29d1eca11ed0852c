import { useRef } from 'react';
import type { TextEditorHandle } from '../../editor/text-editor.tsx';
import { countCharacters, describeExcess } from '../../ui/text-limit.tsx';
import type { DraftState } from '../draft/use-draft.ts';
import { MAX_CONTENT_LENGTH, MAX_TITLE_LENGTH } from '../translation/translate-part.ts';
import type { SourceTexts } from '../translation/translation-parts.ts';
import { showFailure } from './publish-notices.tsx';

type Written = Pick<DraftState, 'title' | 'content' | 'contentFormat'>;

/** Returns the texts as they are translated and published. Space at the start of a line of Markdown has a meaning. */
export function sourceTexts({ title, content, contentFormat }: Written): SourceTexts {
  const isMarkdown = contentFormat === 'markdown';
  return {
    title: title.trim(),
    content: isMarkdown ? content.replace(/^(?:[ \t]*\n)+/, '').trimEnd() : content.trim(),
  };
}

/** Reads the texts of the form as they are sent, and refuses those that are too long. `ids` are those of their fields. */
export function useDraftTexts(draft: Written, ids: { title: string; content: string }) {
  const text = useRef<TextEditorHandle>(null);

  /** Returns the texts with what was typed last, which the draft does not have yet. */
  const readTexts = () => {
    const { value: content, format } = text.current?.flush() ?? {
      value: draft.content,
      format: draft.contentFormat,
    };
    return { ...sourceTexts({ title: draft.title, content, contentFormat: format }), contentFormat: format };
  };
  /** Shows that a text is too long to be sent, and moves the focus to it. Returns whether one is. */
  const refuseExcess = ({ title, content }: SourceTexts) => {
    const inTitle = countCharacters(title) > MAX_TITLE_LENGTH;
    if (!inTitle && countCharacters(content) <= MAX_CONTENT_LENGTH) return false;
    const [text, limit] = inTitle ? [title, MAX_TITLE_LENGTH] : [content, MAX_CONTENT_LENGTH];
    showFailure({
      title: ({ m }) => m.publish.failure.title,
      description: ({ m, language }) => describeExcess(text, limit, { language, ...m.layout.limit }),
    });
    document.getElementById(inTitle ? ids.title : ids.content)?.focus();
    return true;
  };
  return { text, readTexts, refuseExcess };
}
