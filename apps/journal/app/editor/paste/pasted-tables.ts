/** Makes tables as Markdown can hold them: one cell in each place, with one line of text in it. */
export function straightenTables(body: HTMLElement): void {
  // The innermost first: a table within a cell becomes a line of its cells, which a semicolon keeps apart.
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    if (!table.parentElement?.closest('table')) straighten(table);
    else {
      const cells = [table.caption, ...[...table.rows].flatMap((row) => [...row.cells])];
      const filled = cells.filter((cell) => cell?.textContent?.trim());
      table.replaceWith(
        ' ',
        ...filled.flatMap((cell, at) => [at > 0 ? '; ' : '', ...(cell?.childNodes ?? [])]),
        ' ',
      );
    }
  }
}

function straighten(table: HTMLTableElement): void {
  const { ownerDocument } = table;
  if (table.caption) {
    const caption = ownerDocument.createElement('p');
    caption.append(...table.caption.childNodes);
    table.before(caption);
    table.caption.remove();
  }
  const rows = [...table.rows];
  const cells = rows.flatMap((row) => [...row.cells]);
  const [only] = cells;
  // Pages and mails are laid out with tables of one cell.
  if (cells.length <= 1) {
    table.replaceWith(...(only?.childNodes ?? []));
    return;
  }
  const grid = placeCells(rows);
  const width = Math.max(...grid.map((line) => line.length));
  const body = ownerDocument.createElement('tbody');
  grid.forEach((line, index) => {
    const row = ownerDocument.createElement('tr');
    for (let column = 0; column < width; column += 1) {
      const cell = ownerDocument.createElement(index === 0 ? 'th' : 'td');
      const source = line[column];
      if (source) {
        const align = source.getAttribute('align') ?? source.style.textAlign;
        if (align) cell.setAttribute('align', align);
        flatten(source);
        cell.append(...source.childNodes);
      }
      row.append(cell);
    }
    body.append(row);
  });
  const straight = ownerDocument.createElement('table');
  straight.append(body);
  table.replaceWith(straight);
}

type Grid = (HTMLTableCellElement | null | undefined)[][];

/** Puts each cell into its first place; the further places of a cell that spans several stay empty. */
function placeCells(rows: readonly HTMLTableRowElement[]): Grid {
  const grid: Grid = rows.map(() => []);
  rows.forEach((row, at) => {
    let column = 0;
    for (const cell of row.cells) {
      while (grid[at]?.[column] !== undefined) column += 1;
      for (let down = 0; down < Math.max(1, cell.rowSpan); down += 1) {
        const line = grid[at + down];
        for (let across = 0; line && across < cell.colSpan; across += 1) line[column + across] = null;
      }
      const line = grid[at];
      if (line) line[column] = cell;
    }
  });
  return grid;
}

const LINES =
  'p, div, li, dt, dd, h1, h2, h3, h4, h5, h6, blockquote, pre, section, article, header, footer, aside, main, figure, figcaption, address, details, summary';

/** Makes one line of the blocks in a cell. */
function flatten(cell: HTMLElement): void {
  for (const block of [...cell.querySelectorAll(LINES)].reverse()) {
    block.replaceWith(' ', ...block.childNodes, ' ');
  }
  for (const wrapper of [...cell.querySelectorAll('ul, ol, dl')].reverse())
    wrapper.replaceWith(...wrapper.childNodes);
  for (const line of [...cell.querySelectorAll('br, hr')]) line.replaceWith(' ');
}
