import { useState } from 'react';
import { LANGUAGES } from '../../../project/languages.ts';
import { languageName } from '../../language/language-names.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { copyText } from '../../ui/copy-text.ts';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import type { PreviewLink } from '../desk-client.ts';
import { Drawer } from '../drawer.tsx';
import { deskNoticeText, showFailure } from '../notices.tsx';
import { useDesk, useDeskMessages, useTimes } from '../use-desk.ts';
import { PreviewLinks } from './preview-links.tsx';

/** Days for which the link of a preview works. */
const DAYS = 7;

export interface PreviewDialogProps {
  postId: string;
  /** Saves what is written. Called before the link is made. */
  onOpen(): Promise<boolean>;
  onClose(): void;
}

/** Makes a secret link to the working copy as readers will see it, to open in each language or to send. */
export function PreviewDialog({ postId, onOpen, onClose }: PreviewDialogProps) {
  const texts = useDeskMessages().preview;
  const { m } = useLanguage();
  const desk = useDesk();
  const [withdrawn, setWithdrawn] = useState(false);
  const loaded = useLoadedData(`preview ${postId}`, async () => {
    await onOpen();
    return desk.preview(postId, DAYS);
  });
  const { data, status } = loaded;

  const withdraw = async () => {
    try {
      await desk.withdrawPreviews(postId);
      setWithdrawn(true);
    } catch (error) {
      showFailure(error);
    }
  };
  const withdrawOne = ({ id }: PreviewLink) => id === data?.id && setWithdrawn(true);
  const again = () => {
    setWithdrawn(false);
    loaded.reload();
  };
  return (
    <Drawer title={texts.title} onClose={onClose}>
      <div className="grid gap-6">
        <p className="text-muted leading-relaxed">{texts.text}</p>
        {withdrawn || status === 'failed' ? (
          <div className="grid justify-items-start gap-4">
            <p role={withdrawn ? 'status' : 'alert'}>{withdrawn ? texts.withdrawn : texts.failed}</p>
            <Button variant="outline" onClick={again}>
              {withdrawn ? texts.again : m.layout.tryAgain}
            </Button>
          </div>
        ) : !data ? (
          <p role="status" className="text-muted">
            {texts.making}
          </p>
        ) : (
          <MadeLink {...data} onWithdraw={() => void withdraw()} />
        )}
        {(data || status === 'failed') && (
          <PreviewLinks
            // The list is loaded again after a link was made, or all were withdrawn.
            key={`${data?.id} ${withdrawn}`}
            postId={postId}
            madeId={withdrawn ? undefined : data?.id}
            onWithdrawn={withdrawOne}
          />
        )}
      </div>
    </Drawer>
  );
}

interface MadeLinkProps {
  url: string;
  expiresAt: number;
  onWithdraw(): void;
}

function MadeLink({ url, expiresAt, onWithdraw }: MadeLinkProps) {
  const texts = useDeskMessages().preview;
  const { language } = useLanguage();
  const times = useTimes();
  const copy = async () => {
    try {
      await copyText(url);
      toast.success(deskNoticeText(({ preview }) => preview.copied));
    } catch {
      // The link stands in the field, selected, for the keys of the browser.
      document.querySelector<HTMLInputElement>('[data-preview-link]')?.select();
      toast.error(
        noticeText(({ m }) => m.post.share.copyFailed),
        { description: url },
      );
    }
  };
  return (
    <>
      <TextField
        label={texts.link}
        hint={texts.expires(times.full(expiresAt))}
        data-preview-link=""
        readOnly
        value={url}
        onFocus={({ target }) => target.select()}
      />
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void copy()}>{texts.copy}</Button>
        <Button variant="quiet" onClick={onWithdraw}>
          {texts.withdraw}
        </Button>
      </div>
      <section className="grid gap-2 border-t border-hairline pt-5">
        <h3 className="text-sm font-medium">{texts.open}</h3>
        <ul className="flex flex-wrap gap-2">
          {LANGUAGES.map(({ code }) => (
            <li key={code}>
              <a
                href={`${url}?lang=${code}&reader=${language}`}
                target="_blank"
                rel="noopener"
                className={buttonClass({ variant: 'outline', size: 'small' })}
              >
                {languageName(code, language)}
              </a>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
