/** Requests before any is measured. */
import type { Settings } from './settings.ts';

/** Sends bursts until enough was answered; `burst` gives how many that were. */
export async function warmUp(
  { warmUpRequests, warmUpSeconds }: Settings,
  burst: (seconds: number) => Promise<number>,
): Promise<void> {
  for (let answered = 0; answered < warmUpRequests;) answered += await burst(warmUpSeconds);
}
