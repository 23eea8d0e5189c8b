/** Verdicts as workflow commands of GitHub Actions, which shows them next to the run. */
import { escapeControls } from './escape.ts';
import { expiredNote, failsVerdict, otherReasons, type Verdict } from './verdicts.ts';

/** One line for each annotation; empty if there is nothing to report. */
export function verdictGithub(verdicts: readonly Verdict[]): string {
  const lines = verdicts.flatMap((verdict) => [
    ...otherReasons(verdict).map(({ kind, text }) =>
      command('error', `${verdict.merchant}: ${kind}`, text),
    ),
    ...verdict.findings
      .filter(({ suppressed }) => suppressed === undefined)
      .map((finding) => {
        const { rule, severity, what, remedy } = finding;
        const level = failsVerdict(verdict, finding)
          ? 'error'
          : severity === 'info'
            ? 'notice'
            : 'warning';
        return command(
          level,
          `${verdict.merchant}: ${rule}`,
          [what, remedy, ...expiredNote(verdict, finding)].join(' '),
        );
      }),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function command(level: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const escapedTitle = escapeValue(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${escapedTitle}::${escapeValue(message)}`;
}

function escapeValue(text: string): string {
  return escapeControls(text).replaceAll('%', '%25');
}
