import { createContext, type ReactNode, use, useCallback, useEffect, useEffectEvent, useMemo } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { type Language, languageOfTag, visitorLanguage } from '../../project/languages.ts';
import { forgetAddresses, isLanguageShown } from '../layout/canonical-address.ts';
import { useSite } from '../site/site.ts';
import { closeLanguageOffer } from './close-language-offer.ts';
import { loadMessages, type Messages, messagesOf } from './load-messages.ts';
import { readStoredLanguage, storeLanguage } from './stored-language.ts';

export interface LanguageState {
  language: Language;
  /** The messages in that language, as in `m.gallery.empty`. */
  m: Messages;
  /** Loads the messages, stores the choice and reloads the page's data. Rejects when the network fails. */
  setLanguage(language: Language): Promise<void>;
  /** Shows this page in that language, with a way back, and stores nothing. Rejects when the network fails. */
  visitLanguage(language: Language): Promise<void>;
}

const LanguageContext = createContext<LanguageState | null>(null);

/** Provides the language that the server chose, and applies a choice that only this browser has stored. */
export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  const setLanguage = useSetLanguage();
  const visitLanguage = useVisitLanguage(language);
  const { languages } = useSite();

  const applyChoice = useEffectEvent(() => {
    const parameters = new URLSearchParams(window.location.search);
    const [requested, own] = [languageOfTag(parameters.get('lang')), visitorLanguage(parameters)];
    if (requested && own === requested) return storeLanguage(own);
    // A link that names a language changes no choice.
    if (own || (requested && !isLanguageShown())) return;
    const stored = readStoredLanguage();
    // The page keeps its language when the messages of the other one cannot be fetched.
    if (stored && stored !== language && languages.includes(stored))
      setLanguage(stored).catch(() => undefined);
  });
  useEffect(() => applyChoice(), []);

  const state = useMemo(
    () => ({ language, m: messagesOf(language), setLanguage, visitLanguage }),
    [language, setLanguage, visitLanguage],
  );
  return <LanguageContext value={state}>{children}</LanguageContext>;
}

function useSetLanguage(): LanguageState['setLanguage'] {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  return useCallback(
    async (language) => {
      await loadMessages(language);
      storeLanguage(language);
      closeLanguageOffer();
      const { search, hash } = window.location;
      const parameters = new URLSearchParams(search);
      if (!parameters.has('lang')) return revalidate();
      forgetAddresses();
      // The parameters would override the new choice.
      parameters.delete('lang');
      parameters.delete('reader');
      await navigate({ search: parameters.toString(), hash }, { replace: true, preventScrollReset: true });
    },
    [navigate, revalidate],
  );
}

function useVisitLanguage(own: Language): LanguageState['visitLanguage'] {
  const navigate = useNavigate();
  return useCallback(
    async (language) => {
      await loadMessages(language);
      const { search, hash } = window.location;
      const parameters = new URLSearchParams(search);
      parameters.set('lang', language);
      parameters.set('reader', visitorLanguage(parameters) ?? own);
      await navigate({ search: parameters.toString(), hash }, { preventScrollReset: true });
    },
    [navigate, own],
  );
}

/** Returns the page's language, its messages, and the functions that change it. */
export function useLanguage(): LanguageState {
  const state = use(LanguageContext);
  if (!state) throw new Error('useLanguage needs a LanguageProvider above it.');
  return state;
}
