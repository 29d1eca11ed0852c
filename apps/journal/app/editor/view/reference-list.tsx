import { formatVancouver } from '../../../references/format-vancouver.ts';
import type { Source } from '../../../references/source.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { useEditorMessages } from '../load-editor-messages.ts';

interface ReferenceListProps {
  sources: readonly Source[];
  /** The numbers of those that the text cites, by their keys. */
  numbers: ReadonlyMap<string, number>;
  onCite(key: string): void;
  onEdit(source: Source): void;
  onRemove(key: string): void;
}

/** Lists the references of a text in the order of their numbers. Those that are not cited come last, and can be removed. */
export function ReferenceList({ sources, numbers, onCite, onEdit, onRemove }: ReferenceListProps) {
  const { language } = useLanguage();
  const texts = useEditorMessages(language).reference;
  const numberOf = ({ id }: Source) => numbers.get(id) ?? Number.POSITIVE_INFINITY;
  const sorted = [...sources].sort((one, other) => numberOf(one) - numberOf(other));
  if (sorted.length === 0) return <p className="text-sm text-muted">{texts.none}</p>;
  return (
    <ul className="grid gap-4">
      {sorted.map((source) => (
        <li key={source.id} className="grid gap-1.5 border-t border-hairline pt-3 text-sm">
          <p className="[overflow-wrap:anywhere]">
            {numbers.has(source.id) ? `${numbers.get(source.id)}. ` : ''}
            {formatVancouver(source, language)
              .map(({ text }) => text)
              .join('')}
            {!numbers.has(source.id) && <em className="text-muted"> ({texts.uncited})</em>}
          </p>
          <p className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => onCite(source.id)}>
              {texts.cite}
            </Button>
            <Button size="small" variant="outline" onClick={() => onEdit(source)}>
              {texts.edit}
            </Button>
            {!numbers.has(source.id) && (
              <Button size="small" variant="quiet" onClick={() => onRemove(source.id)}>
                {texts.remove}
              </Button>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
