import { createContext, type ReactNode, use, useCallback, useEffect, useEffectEvent, useMemo } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { keepLanguage, readKeptLanguage } from './kept-language.ts';
import { isLanguage, type Language } from './languages.ts';
import { loadMessages, type Messages, messagesOf } from './load-messages.ts';

export interface LanguageState {
  language: Language;
  /** The catalogue of that language: `m.gallery.empty`. */
  m: Messages;
  /** Loads the language, keeps the choice and loads the page anew; rejects when the network fails. */
  setLanguage(language: Language): Promise<void>;
}

const LanguageContext = createContext<LanguageState | null>(null);

/** Gives the page its language, which the server chose; applies a choice that only the browser knew of. */
export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  const setLanguage = useSetLanguage();

  const applyChoice = useEffectEvent(() => {
    const asked = new URLSearchParams(window.location.search).get('lang');
    if (isLanguage(asked)) return keepLanguage(asked);
    const kept = readKeptLanguage();
    // The page stays in the language it has when the other one cannot be fetched.
    if (kept && kept !== language) setLanguage(kept).catch(() => undefined);
  });
  useEffect(() => applyChoice(), []);

  const state = useMemo(() => ({ language, m: messagesOf(language), setLanguage }), [language, setLanguage]);
  return <LanguageContext value={state}>{children}</LanguageContext>;
}

function useSetLanguage(): LanguageState['setLanguage'] {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  return useCallback(
    async (language) => {
      await loadMessages(language);
      keepLanguage(language);
      const { search, hash } = window.location;
      const parameters = new URLSearchParams(search);
      if (!parameters.has('lang')) return revalidate();
      // It would win over the new choice.
      parameters.delete('lang');
      await navigate({ search: parameters.toString(), hash }, { replace: true, preventScrollReset: true });
    },
    [navigate, revalidate],
  );
}

/** The page's language, its messages, and the way to change it. */
export function useLanguage(): LanguageState {
  const state = use(LanguageContext);
  if (!state) throw new Error('useLanguage needs a LanguageProvider above it.');
  return state;
}
