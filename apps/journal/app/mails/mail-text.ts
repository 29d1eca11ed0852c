import type { MailContent } from './mail-content.ts';

/** The mail for who reads no HTML: what is copied (the link, the code) stands on a line of its own. */
export function mailText(content: MailContent): string {
  const { lead, button, link, linkValid, code, codeLead, codeValid, notes } = content;
  return `${[
    content.title,
    lead,
    `${button}:\n${link}`,
    linkValid,
    `${codeLead}\n${code}`,
    codeValid,
    ...notes,
    // Mail programs know these two dashes and their blank as the beginning of a signature.
    `-- \n${content.siteName}: ${content.tagline}\n${content.siteUrl}`,
  ].join('\n\n')}\n`;
}
