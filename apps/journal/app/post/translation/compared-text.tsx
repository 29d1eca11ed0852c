import { useId, useRef, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { MarkdownText } from '../../markdown/markdown-text.tsx';
import { PostText } from '../article/post-text.tsx';
import type { ShownPost } from '../present-post.ts';
import { ChangedMark } from './changed-mark.tsx';
import type { ComparedBlock, Comparison } from './compare-texts.ts';
import { useReadingMessages } from './load-reading-messages.ts';
import { ReportForm } from './report-form.tsx';

/** Shows a translation in which each block can show its original, and an error in it can be reported. */
export function ComparedText({ post, comparison }: { post: ShownPost; comparison: Comparison }) {
  const { title, blocks, nodes, passages } = comparison;
  const { text, content, isPlain, textLanguage } = post;
  const words = useReadingMessages();
  const after = (at: number) => {
    const block = blocks.get(at);
    return block && <BlockTools post={post} block={block} />;
  };
  return (
    <>
      <div className="prose-text mb-8 border-b border-hairline pb-4">
        <p className="segment-note text-muted">{words.title}</p>
        <p lang={post.titleLanguage ?? ''}>{title.words}</p>
        <BlockTools post={post} block={title} />
      </div>
      <PostText
        text={{ nodes, references: text?.references ?? [] }}
        plain={isPlain ? content : null}
        language={textLanguage}
        passages={passages}
        after={after}
      />
    </>
  );
}

/** Words of a passage by which screen readers tell its buttons from those of others. */
const NAMED_BY = 40;

function BlockTools({ post, block }: { post: ShownPost; block: ComparedBlock }) {
  const { language } = useLanguage();
  const texts = useReadingMessages();
  const [isOpen, setOpen] = useState(false);
  const [isReporting, setReporting] = useState(false);
  const reportButton = useRef<HTMLButtonElement>(null);
  const id = useId();
  const source = post.translation?.source ?? null;
  const label = source
    ? texts.originalIn(new Intl.DisplayNames(language, { type: 'language' }).of(source) ?? source)
    : texts.original;
  const start = `${block.words.slice(0, NAMED_BY)}${block.words.length > NAMED_BY ? '…' : ''}`;
  const close = () => {
    setReporting(false);
    reportButton.current?.focus({ preventScroll: true });
  };
  return (
    <div className="segment-tools" lang={language}>
      {block.isChanged && <ChangedMark />}
      <div className="flex flex-wrap gap-x-5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={texts.named(label, start)}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">{isOpen ? '− ' : '+ '}</span>
          {label}
        </button>
        <button
          ref={reportButton}
          type="button"
          aria-expanded={isReporting}
          aria-label={texts.named(texts.report, start)}
          onClick={() => (isReporting ? close() : setReporting(true))}
        >
          {texts.report}
        </button>
      </div>
      <div id={id} hidden={!isOpen} className="segment-original">
        {isOpen && <Original block={block} language={source} />}
      </div>
      {isReporting && <ReportForm post={post} quote={block.words} onClose={close} />}
    </div>
  );
}

function Original({ block: { original }, language }: { block: ComparedBlock; language: string | null }) {
  const texts = useReadingMessages();
  if (original.length === 0) return <p className="segment-note text-muted">{texts.removed}</p>;
  return (
    <div lang={language ?? ''}>
      <MarkdownText nodes={original} language={language} className="prose-text" />
    </div>
  );
}
