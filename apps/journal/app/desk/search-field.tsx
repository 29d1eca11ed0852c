import { Search } from 'lucide-react';
import { CONTROL_CLASS } from '../ui/field.tsx';

interface SearchFieldProps {
  label: string;
  value: string;
  onType(text: string): void;
  className?: string;
}

/** Takes what a list of the desk is searched for. */
export function SearchField({ label, value, onType, className = '' }: SearchFieldProps) {
  return (
    <div className={`relative ${className}`}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3.5 my-auto size-4 text-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        maxLength={200}
        onChange={({ target }) => onType(target.value)}
        className={`${CONTROL_CLASS} min-h-11 pl-10!`}
      />
    </div>
  );
}
