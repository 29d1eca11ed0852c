import { type FocusEvent, useEffect, useRef, useState } from 'react';
import type { Language } from '../../../../project/languages.ts';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { languageName } from '../../../language/language-names.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { WordDifference } from '../../history/word-difference.tsx';
import type { DeskMessages } from '../../load-desk-messages.ts';
import { useDeskMessages } from '../../use-desk.ts';
import type { TranslationName } from '../translations-client.ts';
import { FindingList } from './finding-list.tsx';
import { MarkedText, marksOf } from './marked-text.tsx';
import { MemoryMatches } from './memory-matches.tsx';
import { OverruleForm } from './overrule-form.tsx';
import { SegmentButtons } from './segment-buttons.tsx';
import { SegmentConflict } from './segment-conflict.tsx';
import { SegmentDrawer } from './segment-drawer.tsx';
import { SegmentEditor } from './segment-editor.tsx';
import { SegmentStateMark, WriterName } from './segment-marks.tsx';
import { type SegmentActions, useSegmentActions } from './use-segment-actions.ts';
import { type SegmentCommands, type SegmentStep, useSegmentCommands } from './use-segment-commands.ts';
import { type SegmentCopy, type SegmentCopyState, useSegmentCopy } from './use-segment-copy.ts';

interface SegmentRowProps {
  userId: string;
  name: TranslationName;
  source: Language | null;
  segment: TranslatedSegment;
  /** Counted from 1. */
  number: number;
  isCurrent: boolean;
  mayReview: boolean;
  onCurrent(): void;
  onSegment(segment: TranslatedSegment): void;
  /** Moves the focus to another segment. */
  onMove(to: SegmentStep): void;
}

/** Shows a segment of the original beside its translation, with what a person can do with it by keys and by buttons. */
export function SegmentRow(props: SegmentRowProps) {
  const { userId, name, source, segment, number, isCurrent, mayReview, onCurrent, onSegment, onMove } = props;
  const messages = useDeskMessages();
  const texts = messages.translations;
  const row = useRef<HTMLElement>(null);
  const saved = useRef(segment);
  const { copy, state } = useSegmentCopy({
    userId,
    name,
    segment,
    onSaved(fresh) {
      saved.current = fresh;
      onSegment(fresh);
    },
  });
  useEffect(() => {
    if (segment.version > saved.current.version) saved.current = segment;
  }, [segment]);
  const actions = useSegmentActions({ name, segment, copy, saved, onSegment });
  const isSaved = state.document.text === segment.text;
  const [settling, setSettling] = useState<SegmentCopyState>();
  const conflict = settling ?? (state.status.name === 'stale' ? state : undefined);
  const hasConflict = conflict !== undefined;
  const commands = useSegmentCommands({ segment, row, actions, mayReview, isSaved, hasConflict, onMove });
  const findings = isSaved ? marksOf(segment) : [];
  const { open } = commands;
  const label = texts.segment(number, describePart(segment, messages));
  const settle = (versions: SegmentCopyState | undefined) => {
    setSettling(versions);
    // The pressed button goes, and would leave the focus to the page, where no key of the segment works.
    if (versions) row.current?.focus();
  };
  const focus = ({ target }: FocusEvent) => {
    if (!target.closest('dialog')) onCurrent();
  };
  return (
    <article
      ref={row}
      id={segment.id}
      data-segment={segment.id}
      aria-label={`${label}, ${texts.states[segment.blocked ? 'blocked' : segment.state]}`}
      aria-current={isCurrent || undefined}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={focus}
      onKeyDown={commands.press}
      className="-ml-4 grid scroll-my-28 gap-x-10 gap-y-3 border-b border-l-2 border-b-hairline border-l-transparent py-5 pl-3.5 focus-visible:border-l-transparent! aria-[current]:border-l-accent md:grid-cols-2"
    >
      <div className="grid min-w-0 content-start gap-1.5">
        <p className="small-caps-label text-muted">{label}</p>
        {segment.previousSource !== null && segment.previousSource !== segment.source ? (
          <>
            <p className="text-sm text-accent">{texts.sourceChanged}</p>
            <WordDifference
              before={segment.previousSource}
              after={segment.source}
              lang={source ?? undefined}
            />
          </>
        ) : (
          <MarkedText
            text={segment.source}
            lang={source ?? undefined}
            findings={findings}
            side="source"
            label={texts.findings.marked}
          />
        )}
      </div>
      <div className="grid min-w-0 content-start gap-2.5">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm">
          <SegmentStateMark segment={segment} />
          {segment.writer && <WriterName writer={segment.writer} />}
        </div>
        {conflict ? (
          <SegmentConflict
            name={name}
            segment={segment}
            copy={copy}
            state={conflict}
            onSettling={settle}
            onSegment={onSegment}
            onClose={commands.close}
          />
        ) : (
          <Target {...props} label={label} copy={copy} state={state} actions={actions} commands={commands} />
        )}
      </div>
      <ConfirmDialog
        open={open === 'keep'}
        title={texts.accept.outdated.title}
        description={texts.accept.outdated.text}
        cancel={messages.editor.cancel}
        confirm={texts.accept.outdated.action}
        isHarmless
        onConfirm={commands.keep}
        onCancel={commands.close}
      />
      {(open === 'history' || open === 'comments') && (
        <SegmentDrawer
          panel={open}
          name={name}
          segment={segment}
          onRestore={async (version) => {
            if (await actions.act({ name: 'restore', version })) commands.close();
          }}
          onCount={(comments) => onSegment({ ...segment, comments })}
          onClose={commands.close}
        />
      )}
    </article>
  );
}

interface TargetProps extends SegmentRowProps {
  label: string;
  copy: SegmentCopy;
  state: SegmentCopyState;
  actions: SegmentActions;
  commands: SegmentCommands;
}

/** Shows the translation of a segment, to read or to write, and what was found in it. */
function Target(props: TargetProps) {
  const { name, segment, isCurrent, mayReview, label, copy, state, actions, commands } = props;
  const texts = useDeskMessages().translations;
  const { language: shown } = useLanguage();
  const { text } = state.document;
  const { open, close } = commands;
  const { proposal } = segment;
  const isSaved = text === segment.text;
  const isEditing = open === 'editor' || state.status.name !== 'saved';
  return (
    <>
      {isEditing ? (
        <SegmentEditor
          label={texts.translationOf(label, languageName(name.language, shown))}
          lang={name.language}
          copy={copy}
          state={state}
          autoFocus={open === 'editor'}
          onClose={close}
        />
      ) : text ? (
        <MarkedText
          text={text}
          lang={name.language}
          findings={isSaved ? marksOf(segment) : []}
          side="target"
          label={texts.findings.marked}
        />
      ) : (
        <p className="text-muted">{texts.empty}</p>
      )}
      {isSaved && <FindingList segment={segment} />}
      {proposal !== null && proposal !== text && (
        <section aria-label={texts.proposal.title} className="grid gap-1.5 border-l-2 border-hairline pl-4">
          <h3 className="small-caps-label text-muted">{texts.proposal.title}</h3>
          <WordDifference before={text} after={proposal} lang={name.language} />
        </section>
      )}
      {open === 'editor' && (
        <MemoryMatches
          name={name}
          segment={segment}
          text={text}
          onTake={(taken) => copy.change({ text: taken })}
        />
      )}
      {open === 'overrule' ? (
        <OverruleForm
          busy={actions.busy === 'overrule'}
          onSend={async (reason) => {
            if (await actions.act({ name: 'overrule', reason })) close();
          }}
          onClose={close}
        />
      ) : (
        <SegmentButtons
          segment={segment}
          label={label}
          text={text}
          isCurrent={isCurrent}
          isEditing={isEditing}
          mayReview={mayReview}
          busy={actions.busy}
          onCommand={commands.run}
        />
      )}
    </>
  );
}

/** Says which part of a post a segment is. The cover is the first picture, and the letter of a mark is one for all of them. */
function describePart({ part, kind }: TranslatedSegment, { pictures, translations }: DeskMessages): string {
  const [name, place] = part.split(':');
  if (name === 'note') return translations.note(place ?? '');
  const named = name === 'description' ? translations.description : translations.kinds[kind];
  return place === undefined ? named : `${named} (${pictures.numbered(Number(place) + 2)})`;
}
