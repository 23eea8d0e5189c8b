/** The style of our own pages, light and dark. Rules for Swagger UI are in `docs-style.ts`. */
export const pageStyle = `:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1f2933; --link: #0b5cad; --line: #e4e7eb; --code-paper: #f4f6f8;
  --notice-paper: #fff7e0; --notice-line: #f0d58c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a; --ink: #e7e9ee; --link: #9cc3f7; --line: #343a45; --code-paper: #1c1f25;
    --notice-paper: #382a0d; --notice-line: #7d5a14;
  }
}
body { margin: 0; color: var(--ink); background: var(--paper); }
.own { max-width: 1460px; margin: 0 auto; padding: 0 20px; box-sizing: border-box; font: 16px/1.5 system-ui, sans-serif; }
main.own { max-width: 52rem; padding-bottom: 3rem; }
.own h1 { font-size: 1.6rem; margin: 1.5rem 0 .5rem; }
.own h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
.own h3 { font-size: 1rem; font-weight: 500; margin: 1rem 0 .25rem; }
.own ul { padding-left: 1.25rem; }
.own li { padding: .25rem 0; }
.own a { color: var(--link); }
.own nav a { display: inline-block; padding: .5rem 0; margin-right: 1.5rem; }
.own nav a[aria-current='page'] { font-weight: 600; color: inherit; text-decoration: none; border-bottom: 3px solid var(--link); }
.own code, .own pre { font: .875rem/1.6 ui-monospace, monospace; }
.own pre { margin: 0; background: var(--code-paper); padding: .75rem 1rem; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.own summary { cursor: pointer; padding: .75rem 0; }
.own table { border-collapse: collapse; width: 100%; }
.own td, .own th { text-align: left; padding: .25rem 1.5rem .25rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
@media (max-width: 48rem) { .own td, .own th { padding-right: .5rem; overflow-wrap: anywhere; } }
.own .notice { background: var(--notice-paper); border: 1px solid var(--notice-line); border-radius: 6px; padding: .75rem 1rem; }
`;
