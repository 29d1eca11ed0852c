import type { MetaDescriptor, RouterContextProvider } from 'react-router';
import { data } from 'react-router';
import type { SiteTexts } from '../../project/entities.ts';
import type { Language } from '../../project/languages.ts';
import { backendContext } from '../backend-context.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata, type Metadata } from '../layout/metadata.ts';
import { MarkdownText } from '../markdown/markdown-text.tsx';
import type { MarkdownNode } from '../markdown/parse-markdown.ts';
import { type LegalPage, loadSettings, loadTexts, parseLanguages, writtenLanguages } from './site.ts';

/** A text of the operator's. */
interface OwnText {
  /** The language that it is written in, which may be another than the page's. */
  language: string;
  /** The languages that it exists in. */
  languages: readonly Language[];
  nodes: MarkdownNode[];
  /** The first words, for descriptions. */
  summary: string;
}

/** A description has this many characters. */
const SUMMARY_LENGTH = 160;

/** Loads the imprint or the privacy page. Throws a 404 while the operator has written none. */
export async function loadLegalText(
  page: LegalPage,
  context: Readonly<RouterContextProvider>,
): Promise<OwnText> {
  const { client, language, parseMarkdown: parse } = context.get(backendContext);
  const [settings, { parseMarkdown, plainText }] = await Promise.all([
    loadSettings(client),
    import('../markdown/parse-markdown.ts'),
  ]);
  const languages = parseLanguages(settings?.languages);
  const rows = await loadTexts(client, language, { languages });
  const isWritten = (row: SiteTexts) => row[page] !== null;
  const written = rows.find(isWritten);
  if (!written) throw data(null, { status: 404 });
  const nodes = await parseMarkdown(written[page] ?? '', parse);
  return {
    language: written.id,
    languages: writtenLanguages(rows, { languages }, isWritten),
    nodes,
    summary: plainText(nodes).slice(0, SUMMARY_LENGTH),
  };
}

export function legalMetadata(
  page: LegalPage,
  options: {
    page: Pick<Metadata, 'publicUrl' | 'site'> & { language: Language };
    text: OwnText | undefined;
  },
): MetaDescriptor[] {
  const { language, publicUrl, site } = options.page;
  const title = messagesOf(language).layout[page];
  const { summary: description = title, languages = [] } = options.text ?? {};
  return buildMetadata({ title, description, path: `/${page}`, language, languages, publicUrl, site });
}

export function LegalText({ page, text }: { page: LegalPage; text: OwnText }) {
  const { m, language } = useLanguage();
  return (
    <div className="page-width pt-12 sm:pt-16">
      <h1 className="display-title">{m.layout[page]}</h1>
      <div
        lang={text.language === language ? undefined : text.language}
        className="mt-10 border-t border-hairline pt-10 sm:mt-14"
      >
        <MarkdownText nodes={text.nodes} language={text.language} className="prose-text" />
      </div>
    </div>
  );
}
