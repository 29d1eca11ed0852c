import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { CONTROL_CLASS, FieldNote } from '../../ui/field.tsx';
import { countCharacters, TextLimit } from '../../ui/text-limit.tsx';
import { useEditorMessages } from '../load-editor-messages.ts';
import type { EditorFieldProps, TextEditorProps } from '../text-editor-props.ts';
import { type EditorDialog, EditorDialogs } from './editor-dialogs.tsx';
import { SlashMenu, type SlashMenuHandle } from './slash-menu.tsx';
import { Toolbar } from './toolbar.tsx';
import { useEditorActions } from './use-editor-actions.ts';
import { useTextView } from './use-text-view.ts';
import './editor.css';

/** The editor with its label, its buttons, its counter and its dialogs. */
export function EditorField(props: EditorFieldProps) {
  const { id, label, value, format, readOnly = false } = props;
  const { language } = useLanguage();
  const m = useEditorMessages(language);
  const toolbar = useRef<HTMLDivElement>(null);
  const menu = useRef<SlashMenuHandle>(null);
  const [dialog, setDialog] = useState<EditorDialog | null>(null);
  const [source, setSource] = useState<string | null>(null);
  const isSource = source !== null;
  const isOver = isOverLimit(props);
  const { mount, text, status, query, problem, upload } = useTextView({
    props,
    m,
    attributes: textAttributes(props, isOver),
    isSource,
    onMenuKey: (event) => menu.current?.onKey(event) ?? false,
    openLink: () => setDialog({ name: 'link' }),
    describe: () => setDialog({ name: 'figure' }),
    toolbar,
  });
  const focusText = () => text.current?.view.focus();
  useImperativeHandle(props.ref, () => ({
    // The source is passed on with each key.
    flush: () => (isSource ? undefined : text.current?.flush()) ?? { value, format },
    focus: () => (isSource ? document.getElementById(`${id}-source`)?.focus() : focusText()),
  }));

  useFocusAfter(dialog !== null, focusText);

  const { run, act, isOffered } = useEditorActions({ props, text, upload, onDialog: setDialog });
  const toggleSource = () => setSource(isSource ? null : (text.current?.markdown() ?? null));

  return (
    <div className="grid grid-cols-1 gap-1.5">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the text itself is reached by Tab */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as a label, it leads to its field */}
      <span
        id={`${id}-label`}
        className="justify-self-start text-sm font-medium text-ink"
        onClick={focusText}
      >
        {label}
      </span>
      <div
        data-invalid={props.error || isOver ? true : undefined}
        className="min-w-0 rounded-xs border border-field bg-raised has-[.edited-text:focus-visible]:outline-2 has-[.edited-text:focus-visible]:outline-offset-3 has-[.edited-text:focus-visible]:outline-accent data-invalid:border-accent"
      >
        <Toolbar
          ref={toolbar}
          controls={id}
          status={status}
          isSource={isSource}
          readOnly={readOnly}
          letters={props.letters ?? []}
          isOffered={isOffered}
          onAct={act}
          onRun={run}
          onDialog={setDialog}
          onSource={toggleSource}
          onLeave={focusText}
        />
        <div
          ref={mount}
          hidden={isSource}
          data-placeholder={status?.isEmpty ? m.placeholder : undefined}
          className="editor-place"
        />
        {isSource && (
          <SourceField
            {...props}
            source={source}
            label={m.sourceLabel(label)}
            onSource={(written) => {
              setSource(written);
              props.onChange({ value: written, format: 'markdown' });
            }}
          />
        )}
      </div>
      <SlashMenu
        ref={menu}
        id={`${id}-menu`}
        view={text.current?.view}
        query={readOnly ? null : query}
        isOffered={isOffered}
        onChoose={(name) => query && act(name, query)}
      />
      <FieldNotes {...props} problem={problem} />
      {dialog && text.current && (
        <EditorDialogs
          dialog={dialog}
          view={text.current.view}
          sources={props.sources ?? []}
          onSourcesChange={props.onSourcesChange}
          onFindSource={props.onFindSource}
          offerDescription={props.offerDescription}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}

/** Returns the focus to the text once a dialog is gone, which keeps it until then. */
function useFocusAfter(isOpen: boolean, focus: () => void): void {
  const wasOpen = useRef(false);
  const moveFocus = useEffectEvent(focus);
  useEffect(() => {
    if (wasOpen.current && !isOpen) moveFocus();
    wasOpen.current = isOpen;
  }, [isOpen]);
}

interface SourceFieldProps extends Pick<TextEditorProps, 'id' | 'label' | 'error' | 'lang' | 'readOnly'> {
  source: string;
  onSource(source: string): void;
}

/** The Markdown of the text, in place of the text. */
function SourceField({ id, label, error, lang, readOnly, source, onSource }: SourceFieldProps) {
  return (
    <textarea
      id={`${id}-source`}
      aria-label={label}
      lang={lang}
      rows={20}
      value={source}
      aria-invalid={error ? true : undefined}
      aria-describedby={error && `${id}-note`}
      readOnly={readOnly}
      onChange={({ target }) => onSource(target.value)}
      className={`${CONTROL_CLASS} block border-0 font-mono text-sm leading-relaxed`}
    />
  );
}

function isOverLimit({ limit, value }: TextEditorProps): boolean {
  return limit !== undefined && value.length > limit && countCharacters(value) > limit;
}

/** Returns what assistive technology is told of the text. */
function textAttributes(
  { id, error, hint, lang, limit, readOnly }: TextEditorProps,
  isOver: boolean,
): Record<string, string> {
  const described = [(error ?? hint) && `${id}-note`, limit !== undefined && `${id}-limit`].filter(Boolean);
  return {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': `${id}-label`,
    ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
    ...((error || isOver) && { 'aria-invalid': 'true' }),
    ...(readOnly && { 'aria-readonly': 'true' }),
    ...(lang && { lang }),
    class: 'markdown-text prose-text edited-text',
    spellcheck: 'true',
  };
}

/** The hint or error below the text, and the counter near its limit. */
function FieldNotes({
  id,
  error,
  hint,
  limit,
  value,
  problem,
}: TextEditorProps & { problem: string | undefined }) {
  return (
    <>
      <FieldNote id={`${id}-note`} error={error ?? problem} hint={hint} isAlert />
      {limit !== undefined && <TextLimit id={`${id}-limit`} text={value} limit={limit} />}
    </>
  );
}
