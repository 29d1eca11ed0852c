import type { ReactNode } from 'react';
import type { ReferencePart } from '../../../references/format-vancouver.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { ContentsEntry } from '../../markdown/contents.ts';
import { BackLinks, MarkdownText } from '../../markdown/markdown-text.tsx';
import type { ListedReference, PostText as Text } from '../../markdown/read-text.ts';
import { WRITTEN_LINK_REL } from '../../ui/find-links.ts';
import { PlainText, type PlainTextProps } from '../../ui/plain-text.tsx';
import { ChangedMark } from '../translation/changed-mark.tsx';

interface PostTextProps {
  /** `null` for a plain text without references. */
  text: Pick<Text, 'nodes' | 'references'> | null;
  /** The text without any marks, where it was written so. */
  plain: string | null;
  language: string | null;
  /** The passages of a plain text that something follows. */
  passages?: PlainTextProps['passages'];
  /** Renders what follows a passage, or a block that is tracked; by default, that its original has changed. */
  after?: (at: number) => ReactNode;
}

const EMPTY: Pick<Text, 'nodes' | 'references'> = { nodes: [], references: [] };

/** Shows a text that is more than plain, with its footnotes and its references. */
export function PostText({ text, plain, language, passages, after = () => <ChangedMark /> }: PostTextProps) {
  const { nodes, references } = text ?? EMPTY;
  return (
    <>
      {plain === null ? (
        <div lang={language ?? ''} className="prose-text">
          <MarkdownText nodes={nodes} language={language} after={after} />
        </div>
      ) : (
        <div lang={language ?? ''} className="prose-text plain-text">
          <PlainText text={plain} passages={passages} after={after} />
        </div>
      )}
      {references.length > 0 && <References references={references} />}
    </>
  );
}

interface ContentsProps {
  entries: readonly ContentsEntry[];
  language: string | null;
}

/** Leads to the headings of a text. */
export function Contents({ entries, language }: ContentsProps) {
  const { m } = useLanguage();
  return (
    <nav aria-label={m.post.text.contents} className="text-contents">
      <details open>
        <summary>{m.post.text.contents}</summary>
        <ol lang={language ?? ''}>
          {entries.map(({ id, level, words }) => (
            <li key={id} data-level={level}>
              <a href={`#${id}`}>{words}</a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

function ReferenceText({ text, url, language }: ReferencePart) {
  if (language) return <span lang={language}>{text}</span>;
  return url ? (
    <a href={url} rel={WRITTEN_LINK_REL}>
      {text}
    </a>
  ) : (
    text
  );
}

function References({ references }: { references: readonly ListedReference[] }) {
  const { m } = useLanguage();
  return (
    <section className="markdown-text prose-text" role="doc-bibliography" aria-labelledby="references">
      <div className="notes">
        <h2 id="references">{m.post.text.references}</h2>
        <ol>
          {references.map(({ number, marks, parts }) => (
            <li key={number} id={`ref-${number}`}>
              {parts.map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a reference have no other identity
                <ReferenceText key={index} {...part} />
              ))}
              <BackLinks
                ids={Array.from({ length: marks }, (_, index) => `cite-${number}-${index + 1}`)}
                label={m.post.text.backToReference(number)}
              />
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
