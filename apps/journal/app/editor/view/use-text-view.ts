import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStorageUrls } from '../../images/responsive-image.tsx';
import type { EditorMessages } from '../load-editor-messages.ts';
import type { SlashQuery } from '../plugins/slash-menu.ts';
import type { EditorFieldProps, TextEditorProps } from '../text-editor-props.ts';
import type { ActionName } from './actions.ts';
import { type EditorStatus, TextView } from './editor-view.ts';
import { showPasteLosses } from './paste-notice.tsx';

export interface TextViewOfField {
  /** The element that the text is put into. */
  mount: RefObject<HTMLDivElement | null>;
  text: RefObject<TextView | null>;
  status: EditorStatus | null;
  /** The text that is typed after a `/`. */
  query: SlashQuery | null;
  /** Says why the last picture is not there. */
  problem: string | undefined;
  upload(file: File): ReturnType<NonNullable<TextEditorProps['onImage']>>;
}

interface TextViewOptions {
  props: EditorFieldProps;
  m: EditorMessages;
  attributes: Record<string, string>;
  /** Whether the Markdown is shown instead of the view. */
  isSource: boolean;
  /** The keys of the open menu. */
  onMenuKey(event: KeyboardEvent): boolean;
  openLink(): void;
  /** Opens what describes the selected picture. */
  describe(): void;
  /** The buttons above the text. */
  toolbar: RefObject<HTMLElement | null>;
}

/** Keeps the view of a text for a component. It is made once, and follows what changes while it lives. */
export function useTextView(options: TextViewOptions): TextViewOfField {
  const { props, m, attributes, isSource } = options;
  const { value, format, readOnly = false, undoKey } = props;
  const storageUrl = useStorageUrls();
  const mount = useRef<HTMLDivElement>(null);
  const text = useRef<TextView>(null);
  const [status, setStatus] = useState<EditorStatus | null>(null);
  const [query, setQuery] = useState<SlashQuery | null>(null);
  const [problem, setProblem] = useState<string>();
  const latest = useRef({ ...options, storageUrl });
  useLayoutEffect(() => {
    latest.current = { ...options, storageUrl };
  });

  const upload = useCallback(async (file: File) => {
    const { onImage } = latest.current.props;
    setProblem(undefined);
    try {
      if (!onImage) throw new Error('This text takes no pictures.');
      return await onImage(file);
    } catch (error) {
      const isExplained = error instanceof Error && error.name === 'PictureError';
      setProblem(isExplained ? error.message : latest.current.m.picture.failed);
      throw error;
    }
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes while the view lives reaches it below
  useLayoutEffect(() => {
    if (!mount.current) return;
    const made = new TextView(mount.current, {
      text: { value, format },
      undoKey,
      attributes,
      readOnly,
      words: {
        footnote: m.marks.footnote,
        footnoteText: m.marks.footnoteText,
        reference: m.marks.reference,
        callout: (name) => m.actions[name as ActionName] ?? name,
        figure: m.picture,
      },
      keys: {
        openLink: () => latest.current.openLink(),
        focusToolbar: () =>
          latest.current.toolbar.current
            ?.querySelector<HTMLElement>('select:enabled, button:enabled')
            ?.focus(),
      },
      menu: { onQuery: setQuery, onKey: (event) => latest.current.onMenuKey(event) },
      pictures: props.onImage && { upload, uploading: m.picture.uploading },
      pictureUrl: (src) => latest.current.storageUrl(src),
      describe: () => latest.current.describe(),
      covered: () => ({
        top: Math.max(0, latest.current.toolbar.current?.getBoundingClientRect().bottom ?? 0),
        // The page says so itself, for the fields that Tab leads to.
        bottom: Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0,
      }),
      onStatus: setStatus,
      onText: (written) => latest.current.props.onChange(written),
      onPasteLosses: showPasteLosses,
    });
    text.current = made;
    const caret = latest.current.props.takeCaret();
    if (caret) made.select(caret);
    const leave = () => made.flush();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', leave);
      made.destroy();
      text.current = null;
    };
  }, [m, undoKey]);
  useEffect(() => {
    if (!isSource) text.current?.replace({ value, format });
  }, [value, format, isSource]);
  useEffect(() => text.current?.setReadOnly(readOnly), [readOnly]);
  const written = JSON.stringify(attributes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the attributes are compared by what they say
  useEffect(() => text.current?.setAttributes(attributes), [written]);
  return { mount, text, status, query, problem, upload };
}
