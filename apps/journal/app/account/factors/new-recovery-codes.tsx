import { RecoveryCodes } from '../../factors/recovery-codes.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** Shows new recovery codes until the owner says that they are saved: there is no other way to close this. */
export function NewRecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { m } = useLanguage();
  const texts = m.factors.recovery;
  return (
    <Dialog open onOpenChange={() => undefined} title={texts.title} description={texts.lead}>
      <RecoveryCodes codes={codes} />
      <Button onClick={onDone}>{texts.done}</Button>
    </Dialog>
  );
}
