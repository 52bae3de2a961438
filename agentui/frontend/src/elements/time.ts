/** Times in the words of the page's language. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function language(): string | undefined {
  return document.documentElement.lang || undefined;
}

/** "in 23 hours", "5 minutes ago". */
export function relative(iso: string, now = Date.now()): string {
  const distance = Date.parse(iso) - now;
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const size = Math.abs(distance);
  if (size < HOUR) return format.format(Math.round(distance / MINUTE), "minute");
  if (size < 2 * DAY) return format.format(Math.round(distance / HOUR), "hour");
  return format.format(Math.round(distance / DAY), "day");
}

/** So many seconds as "7 days", "2 hours". */
export function span(seconds: number): string {
  const [size, unit] = seconds >= 86_400 ? [86_400, "day"] : seconds >= 3_600 ? [3_600, "hour"] : [60, "minute"];
  const format = new Intl.NumberFormat(language(), { style: "unit", unit: unit as string, unitDisplay: "long" });
  return format.format(Math.round(seconds / (size as number)));
}

/** "14 Nov, 16:20"; today, the time alone. */
export function moment(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const time = { hour: "numeric", minute: "2-digit" } as const;
  const isToday = date.toDateString() === now.toDateString();
  return date.toLocaleString(language(), isToday ? time : { day: "numeric", month: "short", ...time });
}

export type Age = "today" | "yesterday" | "lastWeek" | "older";

export function age(iso: string, now = new Date()): Age {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const at = Date.parse(iso);
  if (at >= midnight) return "today";
  if (at >= midnight - DAY) return "yesterday";
  return at >= midnight - 7 * DAY ? "lastWeek" : "older";
}
