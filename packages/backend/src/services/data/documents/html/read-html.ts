import type { Scraped } from '@fabrica/contract';
import type { ScrapeFormat } from '../document.ts';
import { showStruckWords } from '../struck-words.ts';
import { htmlToText } from './html-to-text.ts';
import { pageMetadata } from './page-metadata.ts';
import { readArticle } from './read-article.ts';
import { slimPage } from './slim-page.ts';

/** Returns the article of a page as text under its title, or all visible text when there is no article. */
export function readHtml(html: string): string {
  const { title, markup } = readArticle(slimPage(html, { url: undefined, marks: false }));
  const text = htmlToText(markup);
  return title && !text.startsWith(title) ? `${title}\n\n${text}`.trim() : text;
}

/** Returns a page in these formats. `url` is the URL of the page, which its links are resolved with. */
export async function scrapeHtml(
  html: string,
  url: string,
  formats: readonly ScrapeFormat[],
): Promise<Scraped> {
  const page = slimPage(html, { url, marks: true });
  const wants = (format: ScrapeFormat) => formats.includes(format);
  const article = wants('markdown') || wants('extract') ? readArticle(page) : { title: '', markup: '' };
  const metadata = pageMetadata(page.facts, url);
  const scraped: Scraped = {};
  if (wants('markdown')) scraped.markdown = (await import('./html-to-markdown.ts')).htmlToMarkdown(article);
  if (wants('html')) scraped.html = (await import('./safe-html.ts')).safeHtml(page.markup);
  if (wants('metadata')) scraped.metadata = metadata;
  if (wants('links')) scraped.links = page.facts.links();
  if (wants('extract')) {
    const { title, description } = metadata;
    const headings = page.facts.headings();
    const [text = ''] = showStruckWords([htmlToText(article.markup)]);
    scraped.extract = { title, description, headings, text };
  }
  return scraped;
}
