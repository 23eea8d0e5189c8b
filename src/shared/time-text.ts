/** Writes times as text. Times come in runs that read the same, and formatting one costs as much as a whole view. */

/** A formatter for times that read the same within `stepMs`. It remembers the text it wrote last. */
export function timeFormatter(
  stepMs: number,
  format: (time: Date) => string,
): (atMs: number) => string {
  let lastStepMs = Number.NaN;
  let text = '';
  return (atMs) => {
    const stepStartMs = Math.floor(atMs / stepMs) * stepMs;
    if (stepStartMs !== lastStepMs) {
      lastStepMs = stepStartMs;
      text = format(new Date(stepStartMs));
    }
    return text;
  };
}

const secondMs = 1000;

function wholeSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** ISO 8601 with whole seconds: `2026-05-06T07:08:09Z`. */
export const formatSeconds = timeFormatter(secondMs, wholeSeconds);

/** The same for the expiry of cards: it lies years ahead, and most cards share it. */
export const formatExpirySeconds = timeFormatter(secondMs, wholeSeconds);

/** ISO 8601 with milliseconds: `2026-05-06T07:08:09.123Z`. */
export const formatMilliseconds = timeFormatter(1, (time) => time.toISOString());

/** A time as the HTTP `Date` header writes it. */
export const formatHttpDate = timeFormatter(secondMs, (time) => time.toUTCString());
