import {
  type FormEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useSearchParams } from 'react-router';
import { isLanguage, LANGUAGES } from '../../../project/languages.ts';
import { languageName } from '../../language/language-names.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { CONTROL_CLASS } from '../../ui/field.tsx';
import type { PostState, PostsQuery } from '../desk-client.ts';
import { SearchField } from '../search-field.tsx';
import { useDeskMessages } from '../use-desk.ts';

const STATES = ['draft', 'scheduled', 'published', 'unpublished'] as const satisfies readonly PostState[];
/** Milliseconds after the last key before a search begins. */
const PAUSE_MS = 300;

/** Returns the search and the filters in the page's URL. */
function readPostsQuery(parameters: URLSearchParams): PostsQuery {
  const state = STATES.find((one) => one === parameters.get('state'));
  const language = parameters.get('language');
  return {
    state,
    language: isLanguage(language) ? language : undefined,
    search: parameters.get('search')?.trim() || undefined,
  };
}

interface PostFilter {
  query: PostsQuery;
  set(name: keyof PostsQuery, value: string): void;
  clear(): void;
}

/** Reads and writes the filters in the page's URL. Each choice keeps those before it, also while their page still loads. */
export function usePostFilter(): PostFilter {
  const [parameters, setParameters] = useSearchParams();
  const wanted = useRef(parameters);
  useLayoutEffect(() => {
    wanted.current = parameters;
  }, [parameters]);

  const show = (next: URLSearchParams) => {
    wanted.current = next;
    setParameters(next, { replace: true, preventScrollReset: true });
  };
  return {
    query: readPostsQuery(parameters),
    set(name, value) {
      const next = new URLSearchParams(wanted.current);
      if (value) next.set(name, value);
      else next.delete(name);
      show(next);
    },
    clear: () => show(new URLSearchParams()),
  };
}

/** Searches the list and filters it by state and language. */
export function PostFilters({ filter }: { filter: PostFilter }) {
  const { posts: texts, states } = useDeskMessages();
  const { state = '', language = '', search = '' } = filter.query;
  const { language: shown } = useLanguage();
  const [typed, setTyped] = useState(search);
  const find = useEffectEvent(() => filter.set('search', typed.trim()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed begins a search
  useEffect(() => {
    if (typed.trim() === search) return;
    const timer = setTimeout(() => find(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  // The search was cleared elsewhere on the page.
  useEffect(() => setTyped((shown) => (shown.trim() === search ? shown : search)), [search]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    filter.set('search', typed.trim());
  };
  return (
    <search>
      <form onSubmit={submit} className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_auto_auto]">
        <SearchField label={texts.search} value={typed} onType={setTyped} className="max-sm:col-span-2" />
        <Choice
          label={texts.state}
          any={texts.anyState}
          value={state}
          onChoose={(value) => filter.set('state', value)}
        >
          {STATES.map((one) => (
            <option key={one} value={one}>
              {states[one]}
            </option>
          ))}
        </Choice>
        <Choice
          label={texts.language}
          any={texts.anyLanguage}
          value={language}
          onChoose={(value) => filter.set('language', value)}
        >
          {LANGUAGES.map(({ code }) => (
            <option key={code} value={code}>
              {languageName(code, shown)}
            </option>
          ))}
        </Choice>
      </form>
    </search>
  );
}

interface ChoiceProps {
  label: string;
  /** The words of the option that filters nothing. */
  any: string;
  value: string;
  onChoose(value: string): void;
  children: ReactNode;
}

function Choice({ label, any, value, onChoose, children }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      className={`${CONTROL_CLASS} min-h-11 sm:w-auto`}
    >
      <option value="">{any}</option>
      {children}
    </select>
  );
}
