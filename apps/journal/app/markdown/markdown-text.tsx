import type { ReactNode } from 'react';
import type { MarkdownNode } from './parse-markdown.ts';

/** The first heading of a text stands below the page's own title. */
const FIRST_LEVEL = 2;

export interface MarkdownTextProps {
  nodes: readonly MarkdownNode[];
  /** The level of the text's highest headings, from 2 to 4. */
  level?: number;
  className?: string;
}

/** Renders a parsed Markdown text. */
export function MarkdownText({ nodes, level = FIRST_LEVEL, className = '' }: MarkdownTextProps) {
  return (
    <div className={`markdown-text grid gap-5 ${className}`}>
      {renderAll(nodes, level - highestHeading(nodes))}
    </div>
  );
}

/** Returns the depth of the highest heading, as it was typed: some writers begin with `#`, others with `##`. */
function highestHeading(nodes: readonly MarkdownNode[]): number {
  const depths = nodes.map((node) => (typeof node !== 'string' && node.kind === 'heading' ? node.depth : 6));
  return Math.min(6, ...depths);
}

/** Renders nodes whose headings are moved down by `shift` levels. */
function renderAll(nodes: readonly MarkdownNode[], shift: number): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of a text have no other identity, and are never reordered.
  return nodes.map((node, index) => <Part key={index} node={node} shift={shift} />);
}

function Part({ node, shift }: { node: MarkdownNode; shift: number }): ReactNode {
  if (typeof node === 'string') return node;
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
  }
  const children = renderAll(node.children, shift);
  switch (node.kind) {
    case 'link':
      return (
        <a href={node.url} rel={node.url.startsWith('/') ? undefined : 'noreferrer'}>
          {children}
        </a>
      );
    case 'heading': {
      const Heading = `h${Math.min(6, node.depth + shift)}` as 'h2' | 'h3' | 'h4' | 'h5' | 'h6';
      return <Heading>{children}</Heading>;
    }
    case 'list':
      return node.start === null ? <ul>{children}</ul> : <ol start={node.start}>{children}</ol>;
    case 'item':
      return <li>{children}</li>;
    case 'quote':
      return <blockquote>{children}</blockquote>;
    case 'emphasis':
      return <em>{children}</em>;
    case 'strong':
      return <strong>{children}</strong>;
    default:
      return <p>{children}</p>;
  }
}
