import { writeCsv } from '@fabrica/contract';
import { ChevronDown, Download } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/use-object-url.ts';
import type { InsightsMessages } from '../load-insights-messages.ts';
import type { DayRange } from '../range/day-range.ts';
import type { ChartTable } from './build-tables.ts';
import { ChartTableView } from './chart-table-view.tsx';

interface ChartFrameProps {
  title: string;
  /** Tells how the numbers are ordered or grouped. */
  note: string;
  /** The name of the CSV file, without its days and extension. */
  file: string;
  range: DayRange;
  table: ChartTable;
  texts: InsightsMessages['figures'];
  /** Explains the lines of the chart. */
  legend?: ReactNode;
  /** The chart. It is hidden from screen readers, because the table has the same numbers. */
  children: ReactNode;
}

/** Shows a chart with its title. Its numbers can be shown as a table or downloaded as CSV. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, note, file, range, table, texts, legend, children } = props;
  const [open, setOpen] = useState(false);
  const tableId = useId();
  const save = () => {
    const text = writeCsv(table.csv.header, table.csv.rows);
    const name = `fabrica-${file}-${range.from}-${range.to}.csv`;
    saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), name);
  };
  const empty = table.rows.length === 0;
  return (
    <figure className="grid grid-cols-1 content-start gap-5 border-t border-hairline pt-7">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
        <div className="grid gap-1">
          <h2 className="font-serif text-[1.75rem] leading-tight tracking-[-0.01em]">{title}</h2>
          {!empty && <p className="text-sm text-muted">{note}</p>}
        </div>
        {!empty && legend}
      </figcaption>
      {empty ? (
        <p className="text-muted">{texts.nothing}</p>
      ) : (
        <>
          <div aria-hidden="true">{children}</div>
          <div className="flex flex-wrap items-center justify-between gap-x-6">
            <Button
              variant="quiet"
              size="small"
              className="-ml-3 min-h-11"
              aria-expanded={open}
              aria-controls={tableId}
              aria-label={`${texts.showTable}: ${title}`}
              onClick={() => setOpen(!open)}
            >
              <ChevronDown
                aria-hidden="true"
                className={`size-4 shrink-0 transition-transform motion-reduce:transition-none ${open ? 'rotate-180' : ''}`}
              />
              {texts.showTable}
            </Button>
            <Button
              variant="quiet"
              size="small"
              className="-mr-3 min-h-11"
              aria-label={`${texts.csv}: ${title}`}
              onClick={save}
            >
              <Download aria-hidden="true" className="size-4 shrink-0" />
              CSV
            </Button>
          </div>
        </>
      )}
      <div id={tableId} hidden={!open || empty}>
        {open && !empty && <ChartTableView title={title} table={table} />}
      </div>
    </figure>
  );
}
