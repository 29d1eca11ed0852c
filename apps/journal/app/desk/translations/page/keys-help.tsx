import { Drawer } from '../../drawer.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import { KEY_NAMES, KEYS } from './keys.ts';

const KEY_CLASS =
  'inline-block min-w-7 rounded-xs border border-field bg-raised px-1.5 py-0.5 text-center font-sans text-sm';

/** Lists all keys of the page of a translation. */
export function KeysHelp({ onClose }: { onClose(): void }) {
  const texts = useDeskMessages().translations.keys;
  const names: Record<string, string> = { ...KEY_NAMES, ...texts.names };
  const rows = [
    ...KEYS.map(({ command, keys }) => ({ keys: keys.map((key) => [key]), words: texts.commands[command] })),
    { keys: [['Ctrl', 'Enter']], words: texts.acceptInField },
    { keys: [['Esc']], words: texts.leaveField },
  ];
  return (
    <Drawer title={texts.title} onClose={onClose}>
      <p className="mb-5 leading-relaxed text-muted">{texts.lead}</p>
      <dl className="border-t border-hairline">
        {rows.map(({ keys, words }) => (
          <div
            key={words}
            className="grid grid-cols-[8rem_1fr] items-center gap-4 border-b border-hairline py-2.5"
          >
            <dt className="flex flex-wrap gap-1.5">
              {keys.map((together) => (
                <span key={together.join()} className="flex items-center gap-1">
                  {together.map((key) => (
                    <kbd key={key} className={KEY_CLASS}>
                      {names[key] ?? key}
                    </kbd>
                  ))}
                </span>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Drawer>
  );
}
