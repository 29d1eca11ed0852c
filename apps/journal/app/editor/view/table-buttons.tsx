import { type Command, TextSelection } from 'prosemirror-state';
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  selectedRect,
  TableMap,
} from 'prosemirror-tables';

import { useLanguage } from '../../language/language-provider.tsx';
import { ScrollingRow } from '../../ui/scrolling-row.tsx';
import { useEditorMessages } from '../load-editor-messages.ts';
import { ToolButton } from './tool-button.tsx';

/** The buttons for the table at the cursor, in words: their signs are not known to everybody. */
export function TableButtons({ align, onRun }: { align: string | null; onRun(command: Command): void }) {
  const { language } = useLanguage();
  const { table } = useEditorMessages(language);
  const button = (label: string, command: Command) => (
    <ToolButton key={label} label={label} onPress={() => onRun(command)}>
      {label}
    </ToolButton>
  );
  return (
    <div className="border-t border-hairline">
      <ScrollingRow className="flex flex-wrap items-center gap-0.5 p-1 max-sm:w-max max-sm:flex-nowrap">
        {button(table.addRow, addRowAfter)}
        {button(table.addColumn, addColumnAfter)}
        {button(table.removeRow, deleteRow)}
        {button(table.removeColumn, deleteColumn)}
        <select
          aria-label={table.align}
          title={table.align}
          tabIndex={-1}
          value={align ?? 'left'}
          onChange={({ target }) => onRun(alignColumn(target.value))}
          className="min-h-(--target) shrink-0 rounded-xs border border-transparent bg-transparent px-2 text-sm hover:border-field"
        >
          {(['left', 'center', 'right'] as const).map((name) => (
            <option key={name} value={name}>
              {table[name]}
            </option>
          ))}
        </select>
        {button(table.remove, deleteTable)}
      </ScrollingRow>
    </div>
  );
}

/** Aligns all cells of the column at the cursor. */
function alignColumn(name: string): Command {
  return (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { table, tableStart, left } = selectedRect(state);
    const { map, width, height } = TableMap.get(table);
    const { tr } = state;
    const align = name === 'left' ? null : name;
    for (let row = 0; row < height; row += 1) {
      const at = map[row * width + left];
      const cell = at === undefined ? null : table.nodeAt(at);
      if (at !== undefined && cell) tr.setNodeMarkup(tableStart + at, null, { ...cell.attrs, align });
    }
    tr.setSelection(TextSelection.near(tr.doc.resolve(state.selection.from)));
    dispatch?.(tr);
    return true;
  };
}
