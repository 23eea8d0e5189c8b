/** Adds a rule that every request is compared with and none matches. */
import { post } from './traffic.ts';

export async function armNeverMatching(url: string, merchant = 'bench'): Promise<void> {
  const rule = {
    op: 'any',
    match: { 'header:x-never-sent': 'never' },
    outcome: 'error-503-before-commit',
    times: 1,
  };
  await post(`${url}/_sandbox/rules?merchant=${merchant}`, JSON.stringify(rule));
}
