/**
 * Writes times as text. The last text is reused, because many times in a row are equal and formatting one costs as much
 * as a whole view.
 */

/** Makes a formatter for times whose text is the same within `stepMs`. It remembers its last text. */
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

/** The same for the expiry of cards, which most cards share. */
export const formatExpirySeconds = timeFormatter(secondMs, wholeSeconds);

/** ISO 8601 with milliseconds: `2026-05-06T07:08:09.123Z`. */
export const formatMilliseconds = timeFormatter(1, (time) => time.toISOString());

/** The format of the HTTP `Date` header. */
export const formatHttpDate = timeFormatter(secondMs, (time) => time.toUTCString());
