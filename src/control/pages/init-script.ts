/**
 * The script that starts the interactive page. It is a separate file, because the page's policy forbids inline scripts.
 * A class on the root turns on the dark mode of Swagger UI. Swagger UI leaves some fields without a name, skips a
 * heading level, and makes long code that cannot be scrolled by keyboard. The script corrects that after each
 * rendering. A plug-in of Swagger UI replaces the link inside a button; the address bar still shows that link.
 */
export const initScript = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const plainPaths = ({ React }) => ({
  wrapComponents: {
    DeepLink: (Link) => (props) =>
      props.path.includes('/')
        ? React.createElement('span', null, props.text)
        : React.createElement(Link, props),
  },
});

const sections = [
  ['.information-container section', 'About'],
  ['.scheme-container > section', 'Server and credentials'],
];

function name(root) {
  for (const select of root.querySelectorAll('#servers')) select.ariaLabel = 'Server';
  for (const row of root.querySelectorAll('[data-param-name]'))
    for (const field of row.querySelectorAll('input, select, textarea'))
      field.ariaLabel ??= row.dataset.paramName;
  for (const body of root.querySelectorAll('.body-param textarea')) body.ariaLabel = 'Request body';
  for (const close of root.querySelectorAll('.close-modal')) close.ariaLabel = 'Close the dialog';
  for (const heading of root.querySelectorAll('h3, h4, h5, h6'))
    heading.ariaLevel = String(Math.min(Number(heading.tagName[1]) - 1, 4));
  for (const code of root.querySelectorAll('pre.microlight')) code.tabIndex = 0;
  for (const [selector, label] of sections)
    for (const section of root.querySelectorAll(selector)) section.ariaLabel = label;
  for (const table of root.querySelectorAll('table[role=region]')) table.removeAttribute('role');
}

addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('swagger-ui');
  if (root === null || typeof SwaggerUIBundle !== 'function') return;
  new MutationObserver(() => name(root)).observe(root, { childList: true, subtree: true });
  const { document: url, token } = root.dataset;
  const ui = SwaggerUIBundle({
    url,
    domNode: root,
    validatorUrl: null,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    syntaxHighlight: { theme: 'tomorrow-night' },
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [plainPaths],
    onComplete: () => {
      if (token) ui.preauthorizeApiKey('bearer', token);
      document.getElementById('plain').open = false;
    },
  });
});
`;
