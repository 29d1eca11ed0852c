import type { TotpSetUp } from '@fabrica/contract';
import { useLanguage } from '../language/language-provider.tsx';
import { QrCode } from './qr-code.tsx';

/** Shows the secret of an authenticator app: to scan, and as text for those who cannot. */
export function AppKey({ secret, uri }: Pick<TotpSetUp, 'secret' | 'uri'>) {
  const { m } = useLanguage();
  const texts = m.factors.app;
  return (
    <div className="grid justify-items-start gap-4">
      <p>{texts.scan}</p>
      <QrCode text={uri} label={texts.qrCode} />
      <div className="grid gap-1">
        <p className="text-[0.9375rem] text-muted">{texts.key}</p>
        <p data-secret={secret} className="font-medium tracking-[0.08em] select-all [overflow-wrap:anywhere]">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </p>
      </div>
    </div>
  );
}
