import { type CSSProperties, createContext, type ReactNode, use } from 'react';
import { useLanguage } from '../language/language-provider.tsx';
import { useOwnLanguage } from '../language/own-language.ts';
import { WRITTEN_LINK_REL } from '../ui/find-links.ts';
import { Figure } from './figure.tsx';
import type { MarkdownNode } from './parse-markdown.ts';

/** The first heading of a text stands below the page's own title. */
const FIRST_LEVEL = 2;

interface MarkdownTextProps {
  nodes: readonly MarkdownNode[];
  /** The language of the text, in which its call-outs and notes are titled; the page's where it is not known. */
  language?: string | null | undefined;
  /** The level of the text's highest headings, from 2 to 4. */
  level?: number;
  /** Begins the ids of footnotes, where a page shows several texts. */
  prefix?: string;
  /** Renders what follows a tracked block, by the place at which it begins. */
  after?: ((at: number) => ReactNode) | undefined;
  className?: string;
}

interface Surroundings {
  /** Returns the level of a heading by its depth. */
  levelOf(depth: number): number;
  prefix: string;
  language?: MarkdownTextProps['language'];
  after?: MarkdownTextProps['after'];
}

const SurroundingsContext = createContext<Surroundings>({ levelOf: (depth) => depth, prefix: '' });

/** Renders a parsed Markdown text. */
export function MarkdownText({
  nodes,
  language,
  level = FIRST_LEVEL,
  prefix = '',
  after,
  className = '',
}: MarkdownTextProps) {
  return (
    <SurroundingsContext value={{ levelOf: headingLevels(nodes, level), prefix, language, after }}>
      <div className={`markdown-text grid grid-cols-1 gap-5 ${className}`}>{renderAll(nodes)}</div>
    </SurroundingsContext>
  );
}

/**
 * Returns the level of each depth of a text's headings, from `first` to 6. The highest heading outside of quotations, lists and
 * notes has the first level: some writers begin with `#`, others with `##`. Where all headings are within those, their highest has it.
 */
export function headingLevels(nodes: readonly MarkdownNode[], first: number): (depth: number) => number {
  const outer = nodes.filter(isHeading);
  const highest = Math.min(
    6,
    ...(outer.length > 0 ? outer : headingsWithin(nodes)).map(({ depth }) => depth),
  );
  return (depth) => Math.min(6, first + Math.max(0, depth - highest));
}

function isHeading(node: MarkdownNode): node is PartOf<'heading'> {
  return typeof node === 'object' && node.kind === 'heading';
}

function headingsWithin(nodes: readonly MarkdownNode[]): PartOf<'heading'>[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    if (node.kind === 'heading') return [node];
    if (node.kind === 'footnotes') return headingsWithin(node.notes.flatMap(({ children }) => children));
    return 'children' in node ? headingsWithin(node.children) : [];
  });
}

function renderAll(nodes: readonly MarkdownNode[]): ReactNode[] {
  return nodes.map((node, index) => {
    if (typeof node === 'string') return node;
    const Part = 'at' in node ? TrackedPart : PlainPart;
    // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of a text have no other identity, and are never reordered.
    return <Part key={index} node={node} />;
  });
}

/** The elements of nodes that have no attributes. */
export const PLAIN_TAGS = {
  paragraph: 'p',
  emphasis: 'em',
  strong: 'strong',
  superscript: 'sup',
  subscript: 'sub',
  quote: 'blockquote',
  item: 'li',
} as const;

type Element = Exclude<MarkdownNode, string>;

function TrackedPart({ node }: { node: Element }): ReactNode {
  const { after } = use(SurroundingsContext);
  return (
    <>
      <PlainPart node={node} />
      {'at' in node && node.at !== undefined && after?.(node.at)}
    </>
  );
}

/** Renders what is more than words. A line runs from right to left where its first letter does, as in Arabic and Hebrew. */
function PlainPart({ node }: { node: Element }): ReactNode {
  const { levelOf } = use(SurroundingsContext);
  switch (node.kind) {
    case 'break':
      return <br />;
    case 'rule':
      return <hr />;
    case 'code':
      return node.block ? (
        <pre>
          <code>{node.text}</code>
        </pre>
      ) : (
        <code>{node.text}</code>
      );
    case 'link':
      return (
        <a href={node.url} rel={/^[/#]/.test(node.url) ? undefined : WRITTEN_LINK_REL}>
          {renderAll(node.children)}
        </a>
      );
    case 'heading': {
      const Heading = `h${levelOf(node.depth)}` as 'h2' | 'h3' | 'h4' | 'h5' | 'h6';
      return (
        <Heading id={node.id} dir="auto">
          {renderAll(node.children)}
        </Heading>
      );
    }
    case 'list': {
      const items = renderAll(node.children);
      return node.start === null ? <ul>{items}</ul> : <ol start={node.start}>{items}</ol>;
    }
    case 'figure':
      return <Figure {...node}>{node.children.length > 0 && renderAll(captionOf(node.children))}</Figure>;
    case 'callout':
      return <Callout {...node} />;
    case 'table':
      return <Table {...node} />;
    case 'footnote':
      return <FootnoteMark {...node} />;
    case 'citation':
      return <CitationMarks marks={node.marks} />;
    case 'passage':
      return <Passage {...node} />;
    case 'footnotes':
      return <Footnotes notes={node.notes} />;
    default: {
      const Tag = PLAIN_TAGS[node.kind];
      return <Tag dir={node.kind === 'paragraph' ? 'auto' : undefined}>{renderAll(node.children)}</Tag>;
    }
  }
}

type PartOf<Kind extends string> = Extract<MarkdownNode, { kind: Kind }>;

/** A caption of one paragraph needs no paragraph. */
function captionOf(children: readonly MarkdownNode[]): readonly MarkdownNode[] {
  const [only, ...others] = children;
  return typeof only === 'object' && only.kind === 'paragraph' && others.length === 0
    ? only.children
    : children;
}

/** A call-out says in words what it is. */
function Callout({ name, children }: PartOf<'callout'>) {
  const label = useOwnLanguage(use(SurroundingsContext).language).callouts[name];
  return (
    <div role="note" aria-label={label} className="callout" data-callout={name}>
      <p className="callout-label">{label}</p>
      {renderAll(children)}
    </div>
  );
}

/** A table that is wider than the page scrolls in its frame, by keys too. */
function Table({ align, rows: [head = [], ...rows] }: PartOf<'table'>) {
  const { m } = useLanguage();
  const style = (column: number): CSSProperties | undefined => {
    const side = align[column];
    return side === 'center' || side === 'right' ? { textAlign: side } : undefined;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a text may have several tables, which are no landmarks of the page
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div role="group" className="table-frame" aria-label={m.post.text.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row have no other identity
              <th key={column} scope="col" dir="auto" style={style(column)}>
                {renderAll(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table have no other identity
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row have no other identity
                <td key={column} dir="auto" style={style(column)}>
                  {renderAll(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FootnoteMark({ number, nth }: PartOf<'footnote'>) {
  const { m } = useLanguage();
  const { prefix } = use(SurroundingsContext);
  return (
    <sup className="footnote-mark">
      <a
        id={`${prefix}fnref-${number}-${nth}`}
        href={`#${prefix}fn-${number}`}
        role="doc-noteref"
        aria-label={m.post.text.footnote(number)}
      >
        {number}
      </a>
    </sup>
  );
}

/** No line ends between two characters that have this one in between. */
const WORD_JOINER = '\u2060';

/** The letter behind a passage leads to its mark on the plate. */
function Passage({ letter, isFirst, children }: PartOf<'passage'>) {
  const { m } = useLanguage();
  return (
    <span id={isFirst ? `passage-${letter}` : undefined} className="passage" data-mark={letter}>
      {renderAll(children)}
      {WORD_JOINER}
      <a href={`#mark-${letter}`} className="passage-letter" aria-label={m.post.marks.toMark(letter)}>
        {letter}
      </a>
    </span>
  );
}

function CitationMarks({ marks }: Pick<PartOf<'citation'>, 'marks'>) {
  const { m } = useLanguage();
  return (
    <span className="citation">
      [
      {marks.map(({ key, number, nth }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same reference may be cited twice beside itself
        <span key={index}>
          {index > 0 && ', '}
          {number === null ? (
            key
          ) : (
            <a
              id={`cite-${number}-${nth}`}
              href={`#ref-${number}`}
              role="doc-biblioref"
              aria-label={m.post.text.reference(number)}
            >
              {number}
            </a>
          )}
        </span>
      ))}
      ]
    </span>
  );
}

function Footnotes({ notes }: Pick<PartOf<'footnotes'>, 'notes'>) {
  const { m } = useLanguage();
  const { prefix, language } = use(SurroundingsContext);
  const { footnotes } = useOwnLanguage(language);
  return (
    <section className="notes" role="doc-endnotes" aria-label={footnotes}>
      <h2>{footnotes}</h2>
      <ol>
        {notes.map(({ number, marks, children }) => (
          <li key={number} id={`${prefix}fn-${number}`}>
            {renderAll(children)}
            <BackLinks
              ids={Array.from({ length: marks }, (_, index) => `${prefix}fnref-${number}-${index + 1}`)}
              label={m.post.text.backToFootnote(number)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Leads from a note back to each of its marks in the text. */
export function BackLinks({ ids, label }: { ids: readonly string[]; label: string }) {
  return ids.map((id, index) => (
    <a
      key={id}
      href={`#${id}`}
      role="doc-backlink"
      className="back-to-text"
      aria-label={ids.length > 1 ? `${label} (${index + 1})` : label}
    >
      ↩
    </a>
  ));
}
