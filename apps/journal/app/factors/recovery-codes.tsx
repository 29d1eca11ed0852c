import { useState } from 'react';
import { useLanguage } from '../language/language-provider.tsx';
import { useSite } from '../site/site.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { saveFile } from '../ui/use-object-url.ts';

/** Shows recovery codes, this once, with buttons to copy and to save them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { m } = useLanguage();
  const texts = m.factors.recovery;
  const { name } = useSite();
  const [copied, setCopied] = useState(false);
  const text = codes.join('\n');
  const copy = async () => {
    // Codes that are not copied can be selected.
    await copyText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  const save = () =>
    saveFile(new Blob([`${name}\n\n${text}\n`], { type: 'text/plain' }), 'recovery-codes.txt');
  return (
    <div className="grid w-full justify-items-start gap-4">
      <ul
        aria-label={texts.list}
        className="grid w-full grid-cols-2 gap-x-6 gap-y-2 border border-hairline p-4 font-mono text-[0.9375rem] select-text max-[22rem]:grid-cols-1"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3 unscripted:hidden">
        <Button variant="outline" size="small" onClick={() => void copy()}>
          {texts.copy}
        </Button>
        <Button variant="outline" size="small" onClick={save}>
          {texts.save}
        </Button>
        <p role="status" className="text-[0.9375rem] text-success empty:sr-only">
          {copied && texts.copied}
        </p>
      </div>
    </div>
  );
}
