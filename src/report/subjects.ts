/** What findings are about, so that readers which know them by a name keep two of them apart. */
import type { Finding, Verdict } from './verdicts.ts';

/** For each finding the purchase, card or record it is about, and which one of those it is where there are several. */
export function subjectsOf({ findings, purchases }: Verdict): readonly string[] {
  const labels = new Map(purchases.map(({ key, label }) => [key, label]));
  const seen = new Map<string, number>();
  return findings.map(({ rule, intent, subject }: Finding) => {
    const label = intent === undefined ? undefined : (labels.get(intent) ?? intent);
    const about = [label, subject].filter((part) => part !== undefined).join(' ');
    const name = `${rule} ${intent ?? ''} ${about}`;
    const place = (seen.get(name) ?? 0) + 1;
    seen.set(name, place);
    return place === 1 ? about : `${about} (${place})`.trimStart();
  });
}
