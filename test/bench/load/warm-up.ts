/** Requests before the first measurement. */
import type { Settings } from '../settings.ts';

/** Sends bursts until enough requests are answered. `burst` returns how many were. */
export async function warmUp(
  { warmUpRequests, warmUpSeconds }: Settings,
  burst: (seconds: number) => Promise<number>,
): Promise<void> {
  for (let answered = 0; answered < warmUpRequests;) answered += await burst(warmUpSeconds);
}
