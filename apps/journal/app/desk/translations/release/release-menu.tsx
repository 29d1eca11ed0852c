import { Ellipsis } from 'lucide-react';
import { useId, useRef } from 'react';
import { EXCHANGE_MEGABYTES } from '../../../../project/exchange-faults.ts';
import type { LanguageTranslation, ReleaseRule } from '../../../../project/translations.ts';
import { useClient } from '../../../client/client-context.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { saveFile } from '../../../ui/use-object-url.ts';
import { deskNoticeText } from '../../notices.tsx';
import { useAttempt } from '../../use-attempt.ts';
import { useDeskMessages } from '../../use-desk.ts';
import { readExchangeFile } from '../read-exchange-file.ts';
import { type TranslationName, XLIFF_TYPE } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';
import type { ReleaseActions } from './use-release-actions.tsx';

export interface ReleaseMenuProps {
  name: TranslationName;
  translation: LanguageTranslation;
  release: ReleaseActions;
  onChanged(): void;
}

const MENU_ITEM =
  'flex min-h-11 w-full items-center gap-3 px-4 text-left text-[0.9375rem] transition-colors hover:text-accent disabled:opacity-45';

/** Offers what is rare: holding a language back, withdrawing it, its rule, and files for a translator's own tool. */
export function ReleaseMenu({ name, translation, release, onChanged }: ReleaseMenuProps) {
  const messages = useDeskMessages();
  const { release: texts, exchange } = messages.translations;
  const client = useTranslations();
  const mayReview = useClient().auth.can('translations.review');
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const { isBusy: busy, attempt } = useAttempt();
  const anchor = `--release${menuId.replace(/\W/g, '')}`;
  const choose = (act: () => void) => () => {
    menu.current?.hidePopover();
    act();
  };
  const download = () =>
    attempt(async () => {
      const text = await client.exportXliff(name);
      saveFile(new Blob([text], { type: XLIFF_TYPE }), `${name.postId}.${name.language}.xlf`);
    });
  const upload = (chosen: File | undefined) =>
    chosen &&
    attempt(async () => {
      await client.importXliff(name, await readExchangeFile(chosen, EXCHANGE_MEGABYTES.xliff));
      toast.success(deskNoticeText(({ translations }) => translations.exchange.imported));
      onChanged();
    });
  const { state, rule } = translation;
  return (
    <>
      <Button
        variant="outline"
        aria-label={messages.editor.more}
        title={messages.editor.more}
        popoverTarget={menuId}
        busy={busy}
        style={{ anchorName: anchor }}
        className="px-3!"
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </Button>
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        style={{ positionAnchor: anchor }}
        className="anchored-menu min-w-64 py-1.5"
      >
        {state !== 'held' && (
          <button type="button" className={MENU_ITEM} onClick={choose(() => release.ask('hold'))}>
            {texts.hold.action}
          </button>
        )}
        {state === 'released' && (
          <button
            type="button"
            className={`${MENU_ITEM} text-accent`}
            onClick={choose(() => release.ask('withdraw'))}
          >
            {texts.withdraw.action}
          </button>
        )}
        <fieldset className="border-y border-hairline py-1.5">
          <legend className="small-caps-label float-left w-full px-4 pt-1.5 text-muted">{texts.rule}</legend>
          {(['checked', 'reviewed'] as const satisfies ReleaseRule[]).map((one) => (
            <label key={one} className={`${MENU_ITEM} clear-both cursor-pointer`}>
              <input
                type="radio"
                name={menuId}
                checked={rule === one}
                disabled={release.busy || !mayReview}
                onChange={() => void release.setRule(one)}
                className="size-4 shrink-0 accent-(--accent)"
              />
              {texts.rules[one]}
            </label>
          ))}
        </fieldset>
        <button type="button" className={MENU_ITEM} onClick={choose(() => void download())}>
          {exchange.export}
        </button>
        <button type="button" className={MENU_ITEM} onClick={choose(() => file.current?.click())}>
          {exchange.import}
        </button>
      </div>
      <input
        ref={file}
        type="file"
        accept=".xlf,.xliff,application/xliff+xml"
        aria-label={exchange.file}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          void upload(target.files?.[0]);
          target.value = '';
        }}
      />
    </>
  );
}
