/** Times as answers write them. To write one takes as long as a whole view, and they come in runs that read the same. */

/** Writes times that read the same for `stepMs`, which begins at a multiple of it. Remembers what it wrote last. */
function inRuns(stepMs: number, write: (time: Date) => string): (atMs: number) => string {
  let startMs = Number.NaN;
  let text = '';
  return (atMs) => {
    const stepStartMs = Math.floor(atMs / stepMs) * stepMs;
    if (stepStartMs !== startMs) {
      startMs = stepStartMs;
      text = write(new Date(stepStartMs));
    }
    return text;
  };
}

const secondMs = 1000;

function wholeSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Whole seconds, as the vault writes times. */
export const seconds = inRuns(secondMs, wholeSeconds);

/** The same for the ends of cards, which lie years ahead: nearly all end on the same day. */
export const endSeconds = inRuns(secondMs, wholeSeconds);

/** As some payments write times. */
export const milliseconds = inRuns(1, (time) => time.toISOString());

/** The Date header shows the merchant's time, not the machine's: an answer repeats to the byte under a frozen clock. */
export const httpDate = inRuns(secondMs, (time) => time.toUTCString());
