import { TextArea, type TextAreaProps } from './text-area.tsx';

interface TitleFieldProps extends Omit<TextAreaProps, 'onChange' | 'onKeyDown' | 'rows'> {
  onTitle(title: string): void;
  /** Called with Enter, which would break the line: what follows a title is its text. */
  onEnter(): void;
  /** Says that a title has no formatting, where it has signs of Markdown. */
  markdownNote: string;
}

/** Signs of Markdown that a title has not by chance. */
const MARKDOWN = /^#{1,6} \S|\*\*\S[^*]*\*\*|__\S[^_]*__|\[[^\]]+\]\([^)\s]+\)|^(?:[-*+>]|```) \S/;

/** Takes one line of text and shows all of it: it wraps and grows, on a phone too, and what is pasted loses its line breaks. */
export function TitleField({ onTitle, onEnter, markdownNote, className = '', ...rest }: TitleFieldProps) {
  const hint = MARKDOWN.test(String(rest.value ?? '')) ? markdownNote : rest.hint;
  return (
    <TextArea
      {...rest}
      hint={hint}
      dir="auto"
      rows={1}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onEnter();
      }}
      onChange={({ target }) => onTitle(target.value.replace(/\s*[\r\n]+\s*/g, ' '))}
      className={`field-sizing-content min-h-11 resize-none font-serif leading-snug! ${className}`}
    />
  );
}
