import { useRef } from 'react';
import { EXCHANGE_MEGABYTES } from '../../../../project/exchange-faults.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { saveFile } from '../../../ui/use-object-url.ts';
import { deskNoticeText, showFailure } from '../../notices.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import { readExchangeFile } from '../read-exchange-file.ts';
import { EXCHANGE, type ExchangeFormat, type TermsClient } from './terms-client.ts';

/** Exports and imports the glossary (TBX) and the memory (TMX). */
export function ExchangeFiles({ client, onImported }: { client: TermsClient; onImported(): void }) {
  const messages = useDeskMessages();
  const texts = messages.translations.terms.exchange;
  const { busy, run } = useBusy(showFailure);
  const input = useRef<HTMLInputElement>(null);
  const chosen = useRef<ExchangeFormat>('tbx');

  const download = (format: ExchangeFormat) =>
    run(`export ${format}`, async () => {
      const { path, type } = EXCHANGE[format];
      saveFile(new Blob([await client.export(format)], { type }), path);
    });
  const upload = (file: File | undefined) =>
    file &&
    run(`import ${chosen.current}`, async () => {
      const format = chosen.current;
      const text = await readExchangeFile(file, EXCHANGE_MEGABYTES[format]);
      const { imported } = await client.import(format, text);
      toast.success(deskNoticeText(({ translations }) => translations.terms.exchange.imported(imported)));
      onImported();
    });
  return (
    <section aria-labelledby="exchange" className="mt-12 grid gap-5 border-t border-hairline pt-7">
      <div className="grid max-w-2xl gap-2">
        <h2 id="exchange" className="font-serif text-2xl leading-tight tracking-[-0.01em]">
          {texts.title}
        </h2>
        <p className="leading-relaxed text-muted">{texts.lead}</p>
      </div>
      {(['tbx', 'tmx'] as const).map((format) => (
        <div key={format} className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h3 className="min-w-44 font-medium">{texts[format]}</h3>
          <Button
            variant="outline"
            size="small"
            busy={busy === `export ${format}`}
            disabled={busy !== undefined}
            onClick={() => void download(format)}
          >
            {texts.export(format.toUpperCase())}
          </Button>
          <Button
            variant="outline"
            size="small"
            busy={busy === `import ${format}`}
            disabled={busy !== undefined}
            onClick={() => {
              chosen.current = format;
              if (input.current) input.current.accept = `.${format},application/xml,text/xml`;
              input.current?.click();
            }}
          >
            {texts.import(format.toUpperCase())}
          </Button>
        </div>
      ))}
      <input
        ref={input}
        type="file"
        aria-label={texts.file}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          void upload(target.files?.[0]);
          target.value = '';
        }}
      />
    </section>
  );
}
