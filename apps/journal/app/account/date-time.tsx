import { useLanguage } from '../language/language-provider.tsx';

/** Shows a time, given in ISO 8601, with the day in the reader's language. */
export function DateTime({ iso }: { iso: string }) {
  const { language } = useLanguage();
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={iso}>{format.format(new Date(iso))}</time>;
}
