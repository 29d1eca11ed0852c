import type TurndownService from 'turndown';

/**
 * Adds rules for tables. Tables of data become Markdown tables; tables for layout, which contain tables or a single
 * column, become their content.
 */
export function addTableRules(service: TurndownService): void {
  const known = new WeakMap<HTMLElement, boolean>();

  function isData(table: HTMLElement | undefined): table is HTMLElement {
    if (!table) return false;
    const result = known.get(table) ?? isTableOfData(table);
    known.set(table, result);
    return result;
  }

  function isTableOfData(table: HTMLElement): boolean {
    if (table.getElementsByTagName('table').length > 0 || tableOf(table.parentNode)) return false;
    const rows = [...Array.from(table.getElementsByTagName('tr'))];
    return rows.some((row) => cellsOf(row).length > 1);
  }

  service.addRule('cell', {
    filter: (node) => isCell(node) && isData(tableOf(node)),
    replacement: (content) =>
      ` ${content
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |`,
  });
  service.addRule('row', {
    filter: (node) => node.nodeName === 'TR' && isData(tableOf(node)),
    replacement(content, node) {
      const row = node as HTMLElement;
      const isFirst = tableOf(row)?.getElementsByTagName('tr')[0] === row;
      const rule = isFirst ? `\n|${' --- |'.repeat(cellsOf(row).length)}` : '';
      return `\n|${content.replaceAll('\n', ' ')}${rule}`;
    },
  });
  service.addRule('rows', {
    filter: (node) => /^(?:THEAD|TBODY|TFOOT)$/.test(node.nodeName) && isData(tableOf(node)),
    replacement: (content) => content,
  });
  service.addRule('table', {
    filter: (node) => node.nodeName === 'TABLE' && isData(node),
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  });
}

function isCell(node: Node): boolean {
  return node.nodeName === 'TD' || node.nodeName === 'TH';
}

function cellsOf(row: Node): Node[] {
  return Array.from(row.childNodes).filter(isCell);
}

function tableOf(node: Node | null): HTMLElement | undefined {
  for (let one = node; one; one = one.parentNode) if (one.nodeName === 'TABLE') return one as HTMLElement;
  return undefined;
}
