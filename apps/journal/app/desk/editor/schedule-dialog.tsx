import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CONTROL_CLASS, Field } from '../../ui/field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import { Drawer } from '../drawer.tsx';
import { useDeskMessages } from '../use-desk.ts';
import {
  formatZonedTime,
  isTimeZone,
  ownTimeZone,
  parseZonedTime,
  timeZones,
  todaysName,
} from './zoned-time.ts';

interface ScheduleDialogProps {
  /** The time that it is, or was, scheduled for. */
  at: number | null;
  timeZone: string | null;
  onSchedule(schedule: { at: number; timeZone: string }): Promise<void>;
  onClose(): void;
}

/** Asks for the date and the time of a publication, on the clocks of the author's time zone or of another one. */
export function ScheduleDialog({ at, timeZone, onSchedule, onClose }: ScheduleDialogProps) {
  const texts = useDeskMessages().schedule;
  const [zone, setZone] = useState(
    timeZone !== null && isTimeZone(timeZone) ? todaysName(timeZone) : ownTimeZone(),
  );
  const [start] = useState(() =>
    formatZonedTime(at !== null && at > Date.now() ? at : nextMorning(zone), zone),
  );
  const [date, setDate] = useState(start.date);
  const [time, setTime] = useState(start.time);
  const [fault, setFault] = useState<'incomplete' | 'skipped' | 'past'>();
  const { busy, run } = useBusy<'schedule'>(reportError);
  const [zones] = useState(() => timeZones());

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!date || !time) return setFault('incomplete');
    const chosen = parseZonedTime(date, time, zone);
    if (chosen === undefined) return setFault('skipped');
    if (chosen <= Date.now()) return setFault('past');
    await run('schedule', () => onSchedule({ at: chosen, timeZone: zone }));
  };
  return (
    <Drawer title={texts.title} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-6">
        <p className="text-muted leading-relaxed">{texts.text}</p>
        <div className="grid gap-6 sm:grid-cols-2">
          <TextField
            label={texts.date}
            type="date"
            value={date}
            error={fault && texts[fault]}
            onChange={({ target }) => setDate(target.value)}
          />
          <TextField
            label={texts.time}
            type="time"
            value={time}
            onChange={({ target }) => setTime(target.value)}
          />
        </div>
        <Field label={texts.zone}>
          {(ids) => (
            <select
              {...ids}
              value={zone}
              onChange={({ target }) => setZone(target.value)}
              className={`${CONTROL_CLASS} min-h-11`}
            >
              {zones.map((name) => (
                <option key={name} value={name}>
                  {name.replaceAll('_', ' ')}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button type="submit" busy={busy !== undefined} className="justify-self-start">
          {texts.confirm}
        </Button>
      </form>
    </Drawer>
  );
}

const DAY_MS = 86_400_000;

/** Returns nine o'clock of the next day, as a time that many mean. */
function nextMorning(zone: string): number {
  const { date } = formatZonedTime(Date.now() + DAY_MS, zone);
  return parseZonedTime(date, '09:00', zone) ?? Date.now() + DAY_MS;
}
