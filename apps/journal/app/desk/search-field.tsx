import { Search } from 'lucide-react';
import { useLanguage } from '../language/language-provider.tsx';
import { CONTROL_CLASS } from '../ui/field.tsx';

interface SearchFieldProps {
  label: string;
  value: string;
  onType(text: string): void;
  className?: string;
}

/** Takes what a list of the desk is searched for, within a form. */
export function SearchField({ label, value, onType, className = '' }: SearchFieldProps) {
  const { m } = useLanguage();
  return (
    <div className={`relative ${className}`}>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        maxLength={200}
        onChange={({ target }) => onType(target.value)}
        className={`${CONTROL_CLASS} min-h-11 pr-12!`}
      />
      <button
        type="submit"
        aria-label={m.gallery.submitSearch}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center text-muted hover:text-accent focus-visible:-outline-offset-2"
      >
        <Search aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}
