import type { LanguageChoice } from '../../../project/languages.ts';

/** The flags are SVGs, since many systems have no flags in their fonts. Their shapes are one text, which costs less than elements. */
const FLAGS: Record<LanguageChoice['flag'], string> = {
  gb: '<path fill="#012169" d="M0 0h24v16H0z"></path><path stroke="#fff" stroke-width="3.2" d="m0 0 24 16M24 0 0 16"></path><path stroke="#c8102e" stroke-width="1.4" d="m0 0 24 16M24 0 0 16"></path><path stroke="#fff" stroke-width="5.2" d="M12 0v16M0 8h24"></path><path stroke="#c8102e" stroke-width="3" d="M12 0v16M0 8h24"></path>',
  es: '<path fill="#aa151b" d="M0 0h24v16H0z"></path><path fill="#f1bf00" d="M0 4h24v8H0z"></path><path fill="#aa151b" d="M6 6.2h3.2v3a1.6 1.6 0 0 1-3.2 0z"></path>',
  fr: '<path fill="#fff" d="M0 0h24v16H0z"></path><path fill="#002654" d="M0 0h8v16H0z"></path><path fill="#ce1126" d="M16 0h8v16h-8z"></path>',
  de: '<path fill="#000" d="M0 0h24v5.34H0z"></path><path fill="#d00" d="M0 5.33h24v5.34H0z"></path><path fill="#ffce00" d="M0 10.66h24V16H0z"></path>',
};

export function Flag({ country }: { country: LanguageChoice['flag'] }) {
  return (
    <svg
      viewBox="0 0 24 16"
      aria-hidden="true"
      className="h-3 w-[1.125rem] shrink-0 rounded-[1px] ring-1 ring-black/15"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the flags are constants.
      dangerouslySetInnerHTML={{ __html: FLAGS[country] }}
    />
  );
}
