import {
  Asterisk,
  BookMarked,
  Code,
  Heading2,
  Heading3,
  Heading4,
  Image,
  KeyRound,
  Link2,
  List,
  ListOrdered,
  type LucideIcon,
  Minus,
  NotebookText,
  Pilcrow,
  Table,
  TextQuote,
  TriangleAlert,
} from 'lucide-react';
import type { ActionName } from './actions.ts';

const ICONS: Record<ActionName, LucideIcon> = {
  paragraph: Pilcrow,
  heading2: Heading2,
  heading3: Heading3,
  heading4: Heading4,
  bullet: List,
  ordered: ListOrdered,
  quote: TextQuote,
  warning: TriangleAlert,
  summary: NotebookText,
  'key-points': KeyRound,
  picture: Image,
  table: Table,
  footnote: Asterisk,
  reference: BookMarked,
  link: Link2,
  rule: Minus,
  code: Code,
};

/** The sign of an action, beside its name. */
export function ActionIcon({ name }: { name: ActionName }) {
  const Icon = ICONS[name];
  return <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0" />;
}
