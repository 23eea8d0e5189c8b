/** Verdicts as workflow commands of GitHub Actions, which show them beside the run. */
import { harmless } from './escape.ts';
import { fails, otherReasons, type Verdict } from './verdicts.ts';

/** One line for each annotation; none where there is nothing to say. */
export function verdictGithub(verdicts: readonly Verdict[]): string {
  const lines = verdicts.flatMap((verdict) => [
    ...otherReasons(verdict).map(({ kind, text }) =>
      command('error', `${verdict.merchant}: ${kind}`, text),
    ),
    ...verdict.findings
      .filter(({ suppressed }) => suppressed === undefined)
      .map((finding) => {
        const { rule, severity, what, remedy } = finding;
        const level = fails(verdict, finding)
          ? 'error'
          : severity === 'info'
            ? 'notice'
            : 'warning';
        return command(level, `${verdict.merchant}: ${rule}`, `${what} ${remedy}`);
      }),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function command(level: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const shownTitle = escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${shownTitle}::${escaped(message)}`;
}

function escaped(text: string): string {
  return harmless(text).replaceAll('%', '%25');
}
